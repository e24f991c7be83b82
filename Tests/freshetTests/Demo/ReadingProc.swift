import Testing

@testable import freshet

/// proc(5).
@Suite struct ReadingProc {
    @Test func findsTheLoad() throws {
        let load = try #require(LoadAverage(parsing: "0.20 1.18 10.12 3/457 11206\n"))
        #expect(load.averages == ["0.20", "1.18", "10.12"])
        #expect(load.running == "3")
        #expect(load.total == "457")
    }

    @Test func findsTheMemory() throws {
        let text = """
            MemTotal:        2048 kB
            MemFree:          100 kB
            MemAvailable:    1024 kB
            Cached:           512 kB
            SwapTotal:        256 kB
            SwapFree:          64 kB
            HugePages_Total:       0
            """
        let memory = try #require(MemoryInfo(parsing: text))
        #expect(memory.total == 2 << 20)
        #expect(memory.available == 1 << 20)
        #expect(memory.cached == 512 << 10)
        #expect(memory.swapTotal == 256 << 10)
        #expect(memory.swapFree == 64 << 10)
    }

    @Test func findsTheProcessorsTime() throws {
        let text = """
            cpu  100 10 50 800 40 0 5 0 30 3
            cpu0 50 5 25 400 20 0 2 0 15 1
            cpu1 50 5 25 400 20 0 3 0 15 2
            intr 1 2 3
            """
        let time = try #require(ProcessorTime(parsing: text))
        #expect(time.total == 1005)
        #expect(time.idle == 840)
        #expect(time.processors == 2)
    }

    @Test(arguments: ["bash", "tmux: server", "a) b (c", "((", "日本"])
    func findsAProcessWhateverItsName(_ name: String) throws {
        let text = """
            4242 (\(name)) S 1 4242 4242 0 -1 4194304 100 0 0 0 17 5 0 0 20 0 1 0 9876 1000000 \
            321 18446744073709551615 1 1 0 0 0 0
            """
        let status = try #require(ProcessStatus(parsing: text))
        #expect(status.pid == 4242)
        #expect(status.name == name)
        #expect([status.ticks, status.start, status.pages] == [22, 9876, 321])
    }

    @Test func findsDisksOnce() {
        let text = """
            proc /proc proc rw 0 0
            /dev/vda1 / ext4 rw 0 0
            /dev/vda1 /etc/hosts ext4 rw 0 0
            tmpfs /run tmpfs rw 0 0
            /dev/loop1 /snap/core squashfs ro 0 0
            /dev/vdb /srv/my\\040disk xfs rw 0 0
            """
        #expect(MountTable(parsing: text).disks.map(\.folder) == ["/", "/srv/my disk"])
    }

    @Test func findsTheFileSystemOfAContainer() {
        #expect(MountTable(parsing: "overlay / overlay rw 0 0").disks.map(\.device) == ["overlay"])
    }

    @Test(arguments: [
        "", "\n", "cpu", "cpu  1 2 3", "1 (", "1 (a", "1 (a) S 1", ") (", "0.1 0.2", "MemTotal:",
    ])
    func findsNothingInOtherText(_ text: String) {
        #expect(LoadAverage(parsing: text) == nil)
        #expect(MemoryInfo(parsing: text) == nil)
        #expect(ProcessorTime(parsing: text) == nil)
        #expect(ProcessStatus(parsing: text) == nil)
        #expect(MountTable(parsing: text).disks.isEmpty)
    }
}
