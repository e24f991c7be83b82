import Foundation
import Synchronization
import TestSupport
import Testing

/// Passes requests on to a server, and ends the connection in the middle of an answer, or of all
/// that goes to and fro, where told so.
final class CuttingProxy: Sendable {
    /// How a connection ends.
    enum Ending {
        case closed, reset
        /// It stays open, and nothing comes any more.
        case stalled

        /// Those that are noticed at once.
        static let ends: [Ending] = [.closed, .reset]
    }

    /// How answers are passed on, and in which content coding.
    struct Form: CustomTestStringConvertible {
        enum Framing: String {
            /// As the server sends them.
            case asSent
            /// With their length.
            case sized
            /// In chunks of 1 to 37 bytes.
            case chunked
            /// Up to the end of the connection.
            case unbounded
        }

        var framing = Framing.asSent
        /// What the server is asked for; `nil`: what the client accepts.
        var coding: String?

        var testDescription: String { "\(framing.rawValue) \(coding ?? "")" }
    }

    /// What becomes of the next answer, and what became of the last.
    private final class Plan: Sendable {
        struct Cut {
            var byteCount: Int
            var ending: Ending
            /// What a request's head must have in it to be the one.
            var mark: String
        }

        struct State {
            var cut: Cut?
            var isCut = false
            var requestCount = 0
            /// How many bytes are passed on, either way, before a connection ends.
            var session: (rest: Int, ending: Ending)?
        }

        let state = Mutex(State())

        func cut(for head: String) -> Cut? {
            state.withLock { state in
                state.requestCount += 1
                guard let cut = state.cut, cut.mark.isEmpty || head.contains(cut.mark) else {
                    return nil
                }
                state.cut = nil
                return cut
            }
        }

        /// How many of so many bytes are passed on, and how the connection ends where not all are.
        func pass(_ count: Int) -> (count: Int, ending: Ending?) {
            state.withLock { state in
                guard let (rest, ending) = state.session else { return (count, nil) }
                guard count > rest else {
                    state.session = (rest - count, ending)
                    return (count, nil)
                }
                state.session = nil
                state.isCut = true
                return (rest, ending)
            }
        }
    }

    private let plan = Plan()
    private let server: RawServer

    /// Starts it.
    ///
    /// - Parameters:
    ///   - port: The server's.
    ///   - form: How answers are passed on; streams as the server sends them.
    init(to port: Int, as form: Form = Form()) {
        server = RawServer { [plan] connection in
            while let head = connection.readHead() {
                let lines = head.split(separator: "\r\n")
                let length = lines.compactMap { line in
                    line.lowercased().hasPrefix("content-length:")
                        ? Int(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) : nil
                }
                let cut = plan.cut(for: head)
                guard let body = connection.read(length.first ?? 0),
                    let client = try? RawClient(port: port)
                else { return }
                let request = CuttingProxy.request(lines, body, form.coding)
                let passed = plan.pass(request.count)
                guard (try? client.send(Array(request.prefix(passed.count)))) != nil else { return }
                if let ending = passed.ending {
                    if ending == .reset { connection.reset() }
                    return
                }
                // Each answer says that the connection ends.
                var rest = cut?.byteCount ?? .max
                let isWhole = form.framing != .asSent && !head.contains("/events")
                var whole = isWhole ? try? client.receive() : nil
                while let part = try? whole?.passedOn(as: form.framing) ?? client.readSome() {
                    whole = nil
                    let passed = plan.pass(part.count)
                    if let ending = passed.ending {
                        connection.send(Array(part.prefix(passed.count)))
                        if ending == .reset { connection.reset() }
                        return
                    }
                    // Said before the client can know of it.
                    if part.count > rest { plan.state.withLock { $0.isCut = true } }
                    guard connection.send(Array(part.prefix(rest))) else { return }
                    if part.count > rest {
                        if cut?.ending == .stalled { _ = connection.read(1) }
                        if cut?.ending == .reset { connection.reset() }
                        return
                    }
                    rest -= part.count
                }
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
    ///
    /// - Parameter mark: What the head of its request has in it.
    func cut(after byteCount: Int, _ ending: Ending, where mark: String = "") {
        plan.state.withLock { state in
            state.cut = Plan.Cut(byteCount: byteCount, ending: ending, mark: mark)
            state.isCut = false
        }
    }

    /// Has the connection end that passes on the next byte after so many of requests and answers.
    func cutSession(after byteCount: Int, _ ending: Ending) {
        plan.state.withLock { state in
            state.session = (byteCount, ending)
            state.isCut = false
        }
    }

    private static func request(
        _ lines: [Substring],
        _ body: [UInt8],
        _ coding: String?
    ) -> [UInt8] {
        let dropped = coding == nil ? ["connection:"] : ["connection:", "accept-encoding:"]
        let kept = lines.filter { line in !dropped.contains { line.lowercased().hasPrefix($0) } }
        let asked = coding.map { ["Accept-Encoding: \($0)"] } ?? []
        let head = (kept.map(String.init) + asked + ["Connection: close", "", ""])
            .joined(separator: "\r\n")
        return Array(head.utf8) + body
    }
}

extension RawResponse {
    /// Its bytes, with few fields, so that there are not many places to cut it at.
    fileprivate func passedOn(as framing: CuttingProxy.Form.Framing) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) X", "Connection: close"]
        for (name, value) in fields where ["content-type", "content-encoding"].contains(name) {
            lines.append("\(name): \(value)")
        }
        var content = body
        if framing == .sized { lines.append("Content-Length: \(body.count)") }
        if framing == .chunked {
            lines.append("Transfer-Encoding: chunked")
            content = []
            var (rest, size) = (body[...], 1)
            while !rest.isEmpty {
                let part = rest.prefix(size)
                content += "\(String(part.count, radix: 16))\r\n".utf8 + part + "\r\n".utf8
                rest = rest.dropFirst(size)
                size = size % 37 + 12
            }
            content += "0\r\n\r\n".utf8
        }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + content
    }
}
