import FeedAPI
import FeedModel
import FeedStore
import TestSupport
import Testing

/// The hot path against the long way: the same feeds behind two APIs, of which the second has to
/// look at where a request comes from.
@Suite(.bothWays) struct HotAndLongWay {
    @Test(arguments: 0..<UInt64(4))
    func giveTheSameAnswers(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = FeedStore()
        let hot = API(store: store)
        let items = (0..<40).map { #"{"id":"i\#($0)","text":"much the same"}"# }
        let feed = #"{"items":[\#(items.joined(separator: ","))]}"#
        let old = try await hot.put("news", feed)
        let now = try await hot.put("news", feed.replacing("i3", with: "j3"))
        let slow = API(store: store) { $0.origins = .list([]) }.server
        for _ in 0..<400 {
            let token = [old, now, "aaaaaaaa.1"].randomElement(using: &random) ?? ""
            let target = mutated(
                ["/feeds/news", "/feeds/news?since=\(token)"].randomElement(using: &random) ?? "",
                &random
            )
            var headers: [(String, String)] = []
            if Bool.random(using: &random) {
                headers.append(("If-None-Match", mutated("\"\(token)-gzip\"", &random)))
                if Int.random(in: 0..<8, using: &random) == 0 { headers.append(headers[0]) }
            }
            if Bool.random(using: &random) {
                headers.append(("Accept-Encoding", mutated("br, gzip", &random)))
            }
            // The second time it comes from what was made for the first.
            _ = try await hot.server.send("GET", target, headers: headers, body: [])
            let first = try await hot.server.send("GET", target, headers: headers, body: [])
            let second = try await slow.send("GET", target, headers: headers, body: [])
            #expect(first.status == second.status, "\(target) \(headers)")
            #expect(first.body == second.body, "\(target) \(headers)")
            for name in ["ETag", "Cache-Control", "Content-Encoding", "Content-Type"] {
                #expect(first[name] == second[name], "\(target) \(headers)")
            }
        }
    }

    /// A text as it is, or with a piece taken out, doubled, or another byte in it.
    private func mutated(_ text: String, _ random: inout SeededGenerator) -> String {
        var bytes = Array(text.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes[place], at: place)
        case 3: bytes[place] = "0a.?&=-\"W/*,; %+".utf8.randomElement(using: &random) ?? 0
        default: break
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
