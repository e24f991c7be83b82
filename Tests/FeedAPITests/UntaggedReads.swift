import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// RFC 9110 §13.1 where there is no entity tag and no date: `*` is true of what is there, a tag of
/// nothing, and dates are not evaluated.
@Suite(.bothWays, .timeLimit(.minutes(1))) struct UntaggedReads {
    static let targets =
        ["/healthz", "/readyz", "/metrics", "/problems/key"] + OperatorReading.targets
    static let streams = ["/events?feed=news", "/feeds/news/events"]

    static let conditions = [
        ("If-Match", "*", 200), ("If-Match", "\"x\"", 412), ("If-Match", "x", 412),
        ("If-Match", "\"x\", \"y\"", 412), ("If-None-Match", "*", 304),
        ("If-None-Match", "\"x\"", 200), ("If-None-Match", "x, *", 200),
        ("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:10 GMT", 200),
        ("If-Modified-Since", "Thu, 01 Jan 2099 00:00:00 GMT", 200),
    ]

    private func api() async throws -> API {
        let api = API { $0.metrics = SomeMetrics() }
        try await api.put("news", sampleFeed)
        return api
    }

    private static let key = ["Authorization": "Bearer " + API.key]

    @Test(arguments: targets, conditions)
    func meetThatOfAnyTag(
        _ target: String,
        _ condition: (name: String, value: String, status: Int)
    ) async throws {
        let api = try await api()
        let whole = try await api.get(target, Self.key)
        #expect(whole["ETag"] == nil && whole["Last-Modified"] == nil)
        for method in ["GET", "HEAD"] {
            let fields = Self.key.merging([condition.name: condition.value]) { $1 }
            let answer = try await api.send(method, target, nil, fields)
            #expect(answer.status == condition.status)
            Self.check(answer, method, whole)
        }
    }

    /// What a `304` and a `412` say.
    private static func check(_ answer: TestResponse, _ method: String, _ whole: TestResponse) {
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        switch answer.status {
        case 304:
            #expect(answer["Cache-Control"] == whole["Cache-Control"])
            #expect(answer["Vary"] == whole["Vary"])
            #expect(answer["Content-Type"] == nil)
            #expect(answer.body.isEmpty)
        case 412:
            #expect(answer["Content-Type"] == "application/problem+json")
            if method == "GET" { #expect(answer.problem == "precondition") }
        default: #expect(answer["Content-Type"] == whole["Content-Type"])
        }
    }

    @Test(arguments: streams, conditions.filter { $0.2 != 200 })
    func ofStreamsDoTheSame(
        _ target: String,
        _ condition: (name: String, value: String, status: Int)
    ) async throws {
        let answer = try await api().get(target, [condition.name: condition.value])
        #expect(answer.status == condition.status)
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        if answer.status == 304 { #expect(answer["Vary"] == "Accept-Encoding, Authorization") }
    }

    /// §13.2.1: conditions count only where the answer would be a success without them.
    @Test(
        arguments: [
            ("GET", "/metrics", 401), ("GET", "/admin/feeds", 401), ("GET", "/problems/none", 404),
            ("GET", "/readyz", 503), ("PUT", "/healthz", 405), ("OPTIONS", "/healthz", 204),
            ("GET", "/events", 400), ("GET", "/feeds/none/events", 404),
        ],
        [("If-Match", "\"x\""), ("If-None-Match", "*")]
    )
    func countOnlyBesideSuccess(
        _ request: (method: String, target: String, status: Int),
        _ field: (name: String, value: String)
    ) async throws {
        let upstream = request.target == "/readyz" ? UnreadyUpstream() : nil
        let api = API(upstream: upstream) { $0.metrics = SomeMetrics() }
        let fields = [field.name: field.value]
        let answer = try await api.send(request.method, request.target, nil, fields)
        #expect(answer.status == request.status)
    }
}
