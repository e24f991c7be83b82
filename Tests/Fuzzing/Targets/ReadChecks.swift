import FeedModel
import HTTPWire
import TestSupport

/// A request that comes again is answered as it was the first time, and answers to requests that
/// belong together fit each other.
enum ReadChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        try check(FuzzedRequest(input))
    }

    static func check(_ request: FuzzedRequest) throws(Finding) {
        guard let head = request.head() else { return }
        for api in [FuzzedAPI.open, .closed] {
            let answer = try api.answer(head)
            try checkRepeats(head, answer, api)
            try checkForm(answer)
            try checkHead(request, answer, api)
            guard answer.status == 200, !answer.isStream else { continue }
            try checkCoding(request, answer, api)
            try checkTag(request, answer, api)
            try checkLink(request, answer, api)
        }
    }

    /// Whether it is made or found.
    private static func checkRepeats(
        _ head: RequestHead,
        _ answer: FuzzedAPI.Answer,
        _ api: FuzzedAPI
    ) throws(Finding) {
        for _ in 0..<2 {
            guard !answer.isStream else { return }
            let again = try api.answer(head)
            try require(again == answer, "\(again) the second time, not \(answer)")
        }
    }

    private static func checkForm(_ answer: FuzzedAPI.Answer) throws(Finding) {
        let known: Set = [200, 304, 400, 401, 404, 405, 410, 412]
        try require(known.contains(answer.status), "\(answer)")
        guard answer.status != 304 else {
            try require(answer.body.isEmpty && answer["etag"] != nil, "\(answer)")
            return
        }
        guard let content = answer.content else { throw Finding("not coded so: \(answer)") }
        if answer.isStream { try checkEvents(content) }
        let type = answer["content-type"] ?? ""
        guard type.contains("json") else { return }
        guard let document = TestJSON(content) else { throw Finding("no JSON: \(content.text)") }
        guard answer.status != 200 else { return }
        try require(type == "application/problem+json", "\(answer)")
        try require(document["status"]?.int == answer.status, "\(answer)")
    }

    /// Lines as the HTML Standard has them ("Server-sent events"), with JSON in them.
    private static func checkEvents(_ content: [UInt8]) throws(Finding) {
        let events = String(decoding: content, as: UTF8.self)
        // Comments, and the time to come again, stand between events.
        let rest = events.split(separator: "\n\n", omittingEmptySubsequences: false).last ?? ""
        let isBetween = rest.split(separator: "\n").allSatisfy { line in
            line.hasPrefix(":") || line.hasPrefix("retry: ")
        }
        try require(isBetween && events.hasSuffix("\n"), "cut off: \(events)")
        for line in events.split(separator: "\n") {
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            switch parts[0] {
            case "event", "id", "retry": break
            case let name where name.hasPrefix(":"): continue
            case "data" where parts.count == 2:
                try require(TestJSON(String(parts[1])) != nil, "no JSON: \(line)")
            default: throw Finding("a line of no event: \(line)")
            }
        }
    }

    /// HEAD is told what GET is told (RFC 9110 §9.3.2).
    private static func checkHead(
        _ request: FuzzedRequest,
        _ answer: FuzzedAPI.Answer,
        _ api: FuzzedAPI
    ) throws(Finding) {
        guard let head = request.head("HEAD") else { throw Finding("no head of HEAD") }
        let other = try api.answer(head)
        try require(
            other.status == answer.status && other.fields == answer.fields,
            "\(other) for HEAD, \(answer) for GET"
        )
    }

    /// The coding changes nothing of what is said.
    private static func checkCoding(
        _ request: FuzzedRequest,
        _ answer: FuzzedAPI.Answer,
        _ api: FuzzedAPI
    ) throws(Finding) {
        guard let head = request.without("accept-encoding").head() else { return }
        let plain = try api.answer(head)
        try require(plain["content-encoding"] == nil, "coded: \(plain)")
        // A tag of this coding may have been asked for.
        guard plain.status == 200 else { return }
        try require(plain.body == answer.content, "\(plain) uncoded, not \(answer)")
    }

    /// Who has the answer is told so when it asks with its tag.
    private static func checkTag(
        _ request: FuzzedRequest,
        _ answer: FuzzedAPI.Answer,
        _ api: FuzzedAPI
    ) throws(Finding) {
        guard let tag = answer["etag"] else { return }
        let again = request.without("if-none-match", adding: ["If-None-Match: \(tag)"])
        guard let head = again.head() else { throw Finding("no tag to ask with: \(tag)") }
        let told = try api.answer(head)
        try require(told.status == 304 && told["etag"] == tag, "\(told) for the tag \(tag)")
    }

    /// A page leads to the next one until there is none.
    private static func checkLink(
        _ request: FuzzedRequest,
        _ answer: FuzzedAPI.Answer,
        _ api: FuzzedAPI
    ) throws(Finding) {
        var answer = answer
        var pages = 0
        while let link = answer["link"], link.hasSuffix(">; rel=\"next\""), pages < 100 {
            pages += 1
            let reference = String(link.dropFirst().dropLast(">; rel=\"next\"".count))
            guard reference.hasPrefix("?"), let head = request.relative(reference).head() else {
                throw Finding("a link to nowhere: \(link)")
            }
            answer = try api.answer(head)
            try require(answer.status == 200, "\(answer) at \(link)")
        }
        try require(pages < 100, "pages without end")
    }
}
