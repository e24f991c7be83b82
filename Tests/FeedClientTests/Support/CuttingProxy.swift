import Foundation
import Synchronization
import TestSupport

/// Passes requests on to a server, and ends the connection in the middle of an answer where told so.
final class CuttingProxy: Sendable {
    /// How a connection ends.
    enum Ending: CaseIterable {
        case closed, reset
    }

    /// What becomes of the next answer, and what became of the last.
    private final class Plan: Sendable {
        struct State {
            var cut: (byteCount: Int, ending: Ending)?
            var isCut = false
            var requestCount = 0
        }

        let state = Mutex(State())
    }

    private let plan = Plan()
    private let server: RawServer

    /// Starts it.
    ///
    /// - Parameter port: The server's.
    init(to port: Int) {
        server = RawServer { [plan] connection in
            while let head = connection.readHead() {
                let lines = head.split(separator: "\r\n")
                let length = lines.compactMap { line in
                    line.lowercased().hasPrefix("content-length:")
                        ? Int(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) : nil
                }
                let cut = plan.state.withLock { state in
                    state.requestCount += 1
                    defer { state.cut = nil }
                    return state.cut
                }
                guard let body = connection.read(length.first ?? 0),
                    let answer = try? CuttingProxy.answer(to: lines, body, port: port)
                else { return }
                connection.send(Array(answer.prefix(cut?.byteCount ?? .max)))
                if let cut {
                    plan.state.withLock { $0.isCut = cut.byteCount < answer.count }
                    if cut.ending == .reset { connection.reset() }
                }
                // Each answer says that the connection ends.
                return
            }
        }
    }

    var url: String { server.url }

    /// How many requests have come.
    var requestCount: Int { plan.state.withLock(\.requestCount) }

    /// Whether the last answer that was to be cut was longer than that.
    var wasCut: Bool { plan.state.withLock(\.isCut) }

    /// Has the next answer end after so many bytes.
    func cut(after byteCount: Int, _ ending: Ending) {
        plan.state.withLock { $0.cut = (byteCount, ending) }
    }

    private static func answer(
        to lines: [Substring],
        _ body: [UInt8],
        port: Int
    ) throws -> [UInt8] {
        let client = try RawClient(port: port)
        let kept = lines.filter { !$0.lowercased().hasPrefix("connection:") }
        let head = (kept + ["Connection: close", "", ""]).joined(separator: "\r\n")
        try client.send(Array(head.utf8) + body)
        return try client.readToEnd()
    }
}
