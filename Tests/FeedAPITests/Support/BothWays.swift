import HTTPServer
import TestSupport
import Testing

/// How an ``API`` reaches its server.
enum Way {
    case memory
    case socket

    @TaskLocal static var current = Way.memory

    func server(_ handler: any RequestHandler) throws -> any TestServer {
        switch self {
        case .memory: InMemoryServer(handler)
        case .socket: try SocketServer(handler)
        }
    }
}

/// Runs every test of a suite twice: against a handler in memory, and over a socket.
struct BothWays: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for way in [Way.memory, .socket] {
            try await Way.$current.withValue(way) { try await function() }
        }
    }
}

extension Trait where Self == BothWays {
    /// Runs every test twice: in memory, and over a socket.
    static var bothWays: BothWays { BothWays() }
}
