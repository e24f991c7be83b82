import FeedModel
import HTTPServer
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// `GET /metrics`, where the operator has no listener of its own.
@Suite(.bothWays) struct MetricsReading {
    private func api() -> API {
        API {
            $0.metrics = SomeMetrics()
            $0.keys.append(AccessKey("admin", isAdmin: true))
            $0.keys.append(AccessKey("reader", read: [.all]))
        }
    }

    @Test(arguments: [
        (nil, 401), ("Bearer nobody", 401), ("Bearer reader", 403), ("Bearer admin", 200),
        ("Bearer " + API.key, 200),
    ])
    func needsTheRightToSeeIt(_ key: String?, status: Int) async throws {
        let headers = key.map { ["Authorization": $0] } ?? [:]
        let answer = try await api().get("/metrics", headers)
        #expect(answer.status == status)
        #expect(answer["Cache-Control"] == "no-store")
        #expect((answer.problem == "key") == (status != 200))
        #expect(answer.text.contains("freshet_things") == (status == 200))
    }

    @Test func noKeyHasItWhereItIsNot() async throws {
        let answer = try await API().get("/metrics", ["Authorization": "Bearer " + API.key])
        #expect(answer.status == 404)
    }

    @Test func isNotPublishedTo() async throws {
        let answer = try await api().send("PUT", "/metrics", "{}")
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: [
        (nil, false), ("text/plain", false), ("*/*", false),
        ("application/openmetrics-text", true),
        ("application/openmetrics-text;version=2.0.0", false),
        ("application/openmetrics-text; version=0.0.1", false),
        (
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3",
            true
        ),
        ("application/openmetrics-text;q=0.1, text/plain;q=0.9", false),
        ("application/openmetrics-text;q=0", false),
        ("application/openmetrics-text;q=-1, text/plain;q=-2", false),
        ("application/openmetrics-text;q=inf, text/plain", false),
    ])
    func isInTheFormatThatIsPreferred(_ accept: String?, isOpen: Bool) async throws {
        var headers = ["Authorization": "Bearer admin"]
        headers["Accept"] = accept
        let answer = try await api().get("/metrics", headers)
        let type =
            isOpen ? "application/openmetrics-text; version=1.0.0" : "text/plain; version=0.0.4"
        #expect(answer["Content-Type"] == type + "; charset=utf-8")
        #expect(answer.text.hasSuffix("# EOF\n") == isOpen)
        #expect(answer["Vary"]?.contains("Accept") == true)
    }
}

/// What Prometheus reads.
@Suite struct MetricsWriting {
    private var families: [MetricFamily] {
        var things = MetricFamily("freshet_things", .counter, "Things\nof a \\ kind")
        things.add(3, ["name": "a \"b\" \\ c\nd"])
        things.add(2.5, ["name": "é"])
        var times = MetricFamily("freshet_times_seconds", .histogram, "Times")
        times.add(buckets: [1, 0, 2], bounds: [0.5, 1], sum: 7.25, ["route": "/"])
        let none = MetricFamily("freshet_none", .gauge, "Nothing")
        return [things, MetricFamily("freshet_level", .gauge, "Level", at: .infinity), times, none]
    }

    @Test func writesTheTextFormat() {
        let text = String(decoding: MetricsText.prometheus.text(families), as: UTF8.self)
        #expect(
            text == #"""
                # HELP freshet_things_total Things\nof a \\ kind
                # TYPE freshet_things_total counter
                freshet_things_total{name="a \"b\" \\ c\nd"} 3
                freshet_things_total{name="é"} 2.5
                # HELP freshet_level Level
                # TYPE freshet_level gauge
                freshet_level +Inf
                # HELP freshet_times_seconds Times
                # TYPE freshet_times_seconds histogram
                freshet_times_seconds_bucket{route="/",le="0.5"} 1
                freshet_times_seconds_bucket{route="/",le="1.0"} 1
                freshet_times_seconds_bucket{route="/",le="+Inf"} 3
                freshet_times_seconds_sum{route="/"} 7.25
                freshet_times_seconds_count{route="/"} 3

                """#
        )
    }

    @Test func writesOpenMetrics() {
        let text = String(decoding: MetricsText.openMetrics.text(families), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.contains("# TYPE freshet_things counter"))
        #expect(lines.contains("freshet_things_total{name=\"é\"} 2.5"))
        #expect(lines.last == "# EOF")
    }

    @Test(arguments: [
        (0.0, "0"), (-1, "-1"), (1e14, "100000000000000"), (0.1, "0.1"), (1e-7, "1e-07"),
        (.nan, "NaN"), (-.infinity, "-Inf"),
    ])
    func writesNumbers(_ value: Double, _ text: String) {
        #expect(MetricsText.number(value) == text)
    }
}

/// What the server is asked for is counted under the name of its route.
@Suite struct RouteNaming {
    @Test(arguments: [
        ("/feeds", "/feeds"), ("/feeds/a", "/feeds/{feed}"),
        ("/feeds/a.atom", "/feeds/{feed}.{format}"), ("/feeds/a.%72ss", "/feeds/{feed}.{format}"),
        ("/feeds/a/items", "/feeds/{feed}/items"), ("/feeds/", "/feeds/{feed}"),
        ("/feeds/a/items/b", "/feeds/{feed}/items/{id}"),
        ("/feeds/a/items/", "/feeds/{feed}/items/{id}"),
        ("/feeds/a/outline", "/feeds/{feed}/outline"), ("/%66eeds/a", "/feeds/{feed}"),
        ("/feeds/a/sections/b", "/feeds/{feed}/sections/{id}"),
        ("/feeds/a/refresh", "/feeds/{feed}/refresh"), ("/feeds/a/events", "/feeds/{feed}/events"),
        ("/pull", "/pull"), ("/events", "/events"), ("/healthz", "/healthz"),
        ("/readyz", "/readyz"), ("/metrics", "/metrics"), ("/problems/key", "/problems/{name}"),
        ("/admin/feeds", "/admin/feeds"), ("/admin/x", "nothing"), ("/pull/", "nothing"),
        ("/feeds.opml/a", "nothing"), ("/feeds/a/b", "/feeds/{feed}/…"),
        ("/feeds/a/b/c/d", "/feeds/{feed}/…"), ("/feeds/a/b/c/d/e", "/feeds/{feed}/…"),
        ("/", "files"), ("/feed", "files"), ("/feeds/%", "other"),
    ])
    func namesTheRoute(_ target: String, _ name: String) throws {
        var parser = RequestParser()
        _ = try parser.consume(Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span)
        var label = RequestLabel()
        let api = FeedAPI(store: API().store)
        _ = api.receive(Request(head: parser.head), &label)
        #expect(api.routeNames[Int(label.route)] == name)
    }

    @Test func namesTheOwnerOfTheKey() throws {
        var configuration = APIConfiguration()
        let digest = SHA256Digest(of: "k".utf8.span)
        configuration.keys = [AccessKey(digest: digest, name: "newsroom", write: [.all])]
        let api = FeedAPI(store: API().store, configuration: configuration)
        for (field, name) in [("", nil), ("Authorization: Bearer k\r\n", "newsroom")] {
            var parser = RequestParser()
            let text = "GET /feeds/a HTTP/1.1\r\nHost: a\r\n\(field)\r\n"
            _ = try parser.consume(Array(text.utf8).span)
            var label = RequestLabel()
            _ = api.receive(Request(head: parser.head), &label)
            #expect(label.user == name)
        }
    }
}

/// Some figures.
final class SomeMetrics: MetricsSource {
    func collect(_ completion: @escaping @Sendable ([MetricFamily]) -> Void) {
        completion([MetricFamily("freshet_things", .counter, "Things", at: 1)])
    }

    func status(_ completion: @escaping @Sendable (ServerStatus) -> Void) {
        completion(ServerStatus(version: "1.2.3", started: 1_800_000_000))
    }

    func readers(of topics: [Topic], _ completion: @escaping @Sendable ([Int]) -> Void) {
        completion(topics.map { _ in 0 })
    }
}
