import CLinux
import Glibc
import Platform
import TestSupport
import Testing

@testable import HTTPServer

/// What a server can take, and what it does when that is not enough, as values.
@Suite struct Rooms {
    private static let start = LoopTime(milliseconds: 1_000_000)
    private static let limits = ServerLimits()

    private func settings(
        _ limits: ServerLimits = Rooms.limits,
        loops: Int = 2,
        files: Int = 1024,
        memory: Int = 1 << 30
    ) -> ServerSettings {
        ServerSettings(
            handler: ScriptedHandler { _ in .response(.text("")) },
            limits: limits,
            loopCount: loops,
            fileLimit: files,
            memoryByteCount: memory
        )
    }

    @Test(arguments: [
        (256, 2, 188, 17, 188), (1024, 2, 956, 17, 956), (20_000, 2, 19_000, 250, 19_000),
        (1_000_000, 64, 950_000, 256, 950_000), (20, 1, 16, 16, 16),
    ])
    func connectionsFollowFromTheOpenFileLimit(
        _ files: Int,
        loops: Int,
        connections: Int,
        reserve: Int,
        descriptors: Int
    ) {
        let capacity = settings(loops: loops, files: files)
        #expect(capacity.connectionLimit == connections)
        #expect(capacity.reserveLimit == reserve)
        #expect(capacity.descriptorLimit == descriptors)
    }

    @Test(arguments: [(1 << 34, 2, 1 << 30), (1 << 28, 2, 64 << 20), (1 << 34, 64, 64 << 20)])
    func memoryIsSharedByTheLoops(_ memory: Int, loops: Int, share: Int) {
        #expect(settings(loops: loops, memory: memory).loopByteLimit == share)
    }

    /// Loops where none are set hold no more than their eighth.
    @Test(arguments: [(1 << 34, 2, 2), (1 << 30, 16, 2), (1 << 28, 2, 1), (1 << 40, 64, 64)])
    func aMachineWithLittleMemoryHasFewerLoops(_ memory: Int, cores: Int, loops: Int) {
        #expect(HTTPServer.loopCount(cores: cores, memoryByteCount: memory) == loops)
        let least = 64 << 20
        let share = settings(loops: loops, memory: memory).loopByteLimit
        #expect(loops * share <= max(least, memory / 8))
    }

    @Test func whatIsSetCountsAsFarAsTheMachineAllows() {
        var limits = ServerLimits()
        limits.connectionLimit = 5000
        limits.reserveLimit = 3
        limits.heldByteLimit = 1000
        let small = settings(limits)
        #expect(small.connectionLimit == 956)
        #expect(small.reserveLimit == 3)
        #expect(small.loopByteLimit == 500)
        let large = settings(limits, files: 20_000)
        #expect(large.connectionLimit == 5000)
    }

    @Test func theMachineHasMemory() {
        #expect(MemorySize.byteCount > 64 << 20)
    }

    @Test(arguments: [
        (EAGAIN, AcceptFailure.none), (EMFILE, .full), (ENFILE, .full), (ENOBUFS, .pause),
        (ENOMEM, .pause), (EINVAL, .pause), (ECONNABORTED, .next), (EINTR, .next), (EPERM, .next),
    ])
    func aFailureToAcceptSaysWhatToDo(_ code: CInt, expected: AcceptFailure) {
        #expect(AcceptFailure(code) == expected)
    }

    @Test(
        arguments: [
            (1, 0, 90), (3, 0, 60), (4, 0, 50), (100, 0, 0), (100, 1, 5), (100, 60, 60),
            (100, 61, 90),
            (1, 91, nil),
        ] as [(Int, Int, Int?)]
    )
    func theLongestIdleAreFound(_ wanted: Int, spared: Int, seconds: Int?) {
        let starts = [0, 5, 50, 60, 60, 90].map { age in
            LoopTime(milliseconds: Rooms.start.milliseconds - age * 1000)
        }
        let start = EventLoop.start(
            ofLongestIdle: wanted,
            among: starts,
            sparing: .seconds(spared),
            now: Rooms.start
        )
        #expect(start?.milliseconds == seconds.map { Rooms.start.milliseconds - $0 * 1000 })
    }

    @Test func aConnectionOfTheReserveHasASecondForItsHead() {
        var state = ConnectionState(now: Rooms.start, isOverLimit: true)
        let soon = Rooms.start + .seconds(1)
        #expect(state.deadline(Rooms.limits) == soon)
        #expect(state.timerFired(at: soon, Rooms.limits) == .reject)
        #expect(state.idleSince == nil)
        state.headBegan(at: Rooms.start)
        #expect(state.timerFired(at: soon, Rooms.limits) == .reject)
        state.becameRegular()
        #expect(
            state.timerFired(at: soon, Rooms.limits) == .wait(until: Rooms.start + .seconds(10))
        )
    }

    /// A reader that waits for the next change says nothing, and so does one that has vanished.
    @Test func peersThatVanishAreNoticed() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let client = try RawClient(port: listener.port)
        // It is taken when it says something.
        #expect(freshet_accept(listener.descriptor.rawValue, nil, nil) == -1)
        try client.send("x")
        let accepted = freshet_accept(listener.descriptor.rawValue, nil, nil)
        try #require(accepted >= 0)
        let connection = Descriptor(owning: accepted)
        func option(_ level: CInt, _ name: CInt) -> CInt {
            var value: CInt = -1
            var size = socklen_t(MemoryLayout<CInt>.size)
            getsockopt(connection.rawValue, level, name, &value, &size)
            return value
        }
        let tcp = CInt(IPPROTO_TCP)
        #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
        #expect(option(tcp, TCP_KEEPIDLE) == 60)
        #expect(option(tcp, TCP_KEEPINTVL) == 20)
        #expect(option(tcp, TCP_KEEPCNT) == 3)
        #expect(option(tcp, TCP_USER_TIMEOUT) == 120_000)
        #expect(option(tcp, TCP_NODELAY) == 1)
        #expect(option(tcp, TCP_NOTSENT_LOWAT) == 64 << 10)
    }

    @Test func filesThatAreServedCountAsConnectionsDo() throws {
        let folder = try Folder(path: "/proc/self")
        let before = DescriptorUse.count
        var files: [OpenFile] = []
        // Other tests open and close connections meanwhile, of which there are far fewer.
        for _ in 0..<2000 {
            guard let file = try folder.open(["status"]) else { continue }
            files.append(file)
        }
        #expect(files.count == 2000)
        #expect(DescriptorUse.count > before + 1000)
    }
}
