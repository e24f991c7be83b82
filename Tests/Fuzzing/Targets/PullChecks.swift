import FeedModel
import HTTPWire
import TestSupport

/// A pull says of each feed what a read of it says, and nothing else.
enum PullChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        let request = FuzzedRequest(input, path: "/pull?")
        try ReadChecks.check(request)
        let plain = request.without("accept-encoding", "if-none-match", "if-match", "prefer")
        guard let head = plain.head() else { return }
        for api in [FuzzedAPI.open, .closed] {
            let answer = try api.answer(head)
            guard answer.status == 200 else { continue }
            var parts: [String] = []
            for item in items(head) where item.name == "feed" {
                parts.append(try part(item.value ?? "", head, plain, api))
            }
            let expected = #"{"kind":"pull","feeds":{\#(parts.joined(separator: ","))}}"#
            try require(answer.body == Array(expected.utf8), "\(answer), not \(expected)")
        }
    }

    /// The part of one feed, as reading it alone gives it.
    private static func part(
        _ feed: String,
        _ head: RequestHead,
        _ request: FuzzedRequest,
        _ api: FuzzedAPI
    ) throws(Finding) -> String {
        let ends = feed.utf8.split(
            separator: UInt8(ascii: "@"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        ).map { String(decoding: Array($0), as: UTF8.self) }
        let name = String(decoding: JSONText(string: ends[0]).bytes, as: UTF8.self)
        var query = ends.count > 1 ? ["since=\(encoded(ends[1]))"] : []
        for item in items(head) {
            guard let name = item.name, name == "limit" || name == "section" else { continue }
            query.append("\(name)=\(encoded(item.value ?? ""))")
        }
        let single = request.asking(
            for: "/feeds/\(encoded(ends[0]))?\(query.joined(separator: "&"))"
        )
        guard FeedName(ends[0]) != nil, let head = single.head() else {
            return #"\#(name):{"kind":"missing","feed":\#(name)}"#
        }
        let answer = try api.answer(head)
        if answer.status == 200 { return name + ":" + String(decoding: answer.body, as: UTF8.self) }
        try require([401, 404].contains(answer.status), "\(answer) for \(feed) alone")
        return #"\#(name):{"kind":"missing","feed":\#(name)}"#
    }

    private static func items(_ head: RequestHead) -> [(name: String?, value: String?)] {
        (head.targetParts.query.map(head.string) ?? "").split(separator: "&")
            .map(TargetChecks.item)
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
