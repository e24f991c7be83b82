import HTTPServer
import TestSupport

@testable import FeedAPI

extension FollowStream {
    /// The events that it has now: their names, and what they are about.
    func eventsAtHand() -> [(name: String, document: TestJSON)] {
        var found: [(String, TestJSON)] = []
        let waker = StreamWaker()
        while true {
            let bytes: [UInt8]
            switch next(waker) {
            case .bytes(let part): bytes = part
            case .shared(let first, let second): bytes = first.body + second
            case .askAgain: continue
            case .pending, .end: return found
            }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            guard let name = lines.first(where: { $0.hasPrefix("event: ") }) else { continue }
            let data = lines.first { $0.hasPrefix("data: ") } ?? ""
            found.append((String(name.dropFirst(7)), TestJSON(String(data.dropFirst(6))) ?? .null))
        }
    }
}
