import FeedModel
import Testing

@testable import freshet

@Suite struct MachineFeeds {
    @Test func machineFeedsHaveTheirSectionsEvenOfNothing() {
        let snapshot = MachineFeed.snapshot(MachineReading())
        #expect(snapshot.sections.map(\.id) == ["load", "memory", "disks", "processes"])
        #expect(snapshot.count == 0)
    }

    @Test func machineFeedsPutTheBusiestProcessFirst() throws {
        var reading = MachineReading()
        for (pid, use, ticks) in [(1, 0, 10), (2, 15, 0), (3, 0, 900), (4, 999, 5), (5, 0, 10)] {
            reading.processes.append(try process(pid, use: use, ticks: ticks))
        }
        let ids = MachineFeed.snapshot(reading).sections[3].items.map(\.id.string)
        #expect(ids == [4, 2, 3, 1, 5].map { "process-\($0)-9" })
    }

    @Test func machineFeedsShowSoManyProcessesAndNoMore() throws {
        var reading = MachineReading()
        for pid in 1...100 {
            reading.processes.append(try process(pid, use: 0, ticks: 0))
        }
        let section = MachineFeed.snapshot(reading).sections[3]
        #expect(section.items.count == MachineFeed.processLimit)
    }

    private func process(_ pid: Int, use: Int, ticks: Int) throws -> MachineReading.Process {
        let zeros = String(repeating: "0 ", count: 10)
        let text = "\(pid) (a) S \(zeros)\(ticks) 0 0 0 0 0 0 0 9 0 0"
        let status = try #require(ProcessStatus(parsing: text))
        return MachineReading.Process(status: status, use: use, memory: 0)
    }
}
