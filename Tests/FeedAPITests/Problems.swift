import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Errors".
@Suite(.bothWays) struct Problems {
    @Test(arguments: [
        ("GET", "/feeds/gone", 404, "not-found"), ("GET", "/feeds/news?limit=x", 400, "malformed"),
        ("PUT", "/feeds/NO", 400, "malformed"), ("POST", "/feeds/news", 405, "method"),
        ("BREW", "/feeds/news", 501, "not-implemented"), ("GET", "/nothing", 404, "not-found"),
        ("GET", "/problems/nothing", 404, "not-found"), ("POST", "/healthz", 405, "method"),
        ("POST", "/feeds/news/refresh", 409, "no-source"), ("TRACE", "/feeds", 405, "method"),
        ("GET", "/feeds/news/refresh", 405, "method"), ("GET", "/feeds/%FF", 400, "malformed"),
        ("POST", "/feeds/gone/refresh", 404, "not-found"), ("GET", "*", 400, "malformed"),
    ])
    func problemsHaveOneForm(
        _ method: String,
        _ target: String,
        _ status: Int,
        _ kind: String
    ) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let answer = try await api.send(method, target)
        #expect(answer.status == status)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer.problem == kind)
        #expect(answer.json["status"]?.int == status)
        #expect(answer.json["title"]?.string?.isEmpty == false)
        #expect(!answer.detail.isEmpty)
        #expect((answer["Allow"] != nil) == (status == 405))
    }

    @Test(arguments: ProblemKind.allCases)
    func eachHasAPage(_ kind: ProblemKind) async throws {
        let answer = try await API().get("/problems/\(kind.rawValue)")
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/html; charset=utf-8")
        #expect(answer.text.contains(kind.title))
    }

    @Test(arguments: [
        (RequestError.invalidRequestLine, 400), (.invalidTarget, 400), (.unsupportedVersion, 505),
        (.invalidField, 400), (.invalidHost, 400), (.invalidContentLength, 400),
        (.conflictingFraming, 400), (.unsupportedTransferCoding, 501), (.invalidChunk, 400),
        (.targetTooLong(limit: 7), 414), (.headTooLarge(limit: 7), 431),
        (.tooManyFields(limit: 7), 431), (.bodyTooLarge(limit: 7), 413),
        (.trailersTooLarge(limit: 7), 431), (.chunkExtensionsTooLarge(limit: 7), 400),
    ])
    func theEnginesRefusalsAreProblemsToo(_ error: RequestError, _ status: Int) {
        let response = FeedAPI(store: API().store).response(to: .malformed(error), origin: nil)
        #expect(response.status.code == status)
        #expect(response.fields[.contentType] == "application/problem+json")
        #expect(response.fields[.accessControlAllowOrigin] == "*")
    }

    @Test func aRequestThatTookTooLongIsOneToo() {
        let response = FeedAPI(store: API().store).response(to: .late, origin: nil)
        #expect(response.status.code == 408)
        #expect(response.fields[.contentType] == "application/problem+json")
    }

    @Test func tooManyConnectionsAreOneToo() {
        let response = FeedAPI(store: API().store).response(to: .overloaded, origin: nil)
        #expect(response.status.code == 503)
        #expect(response.fields[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
        #expect(response.fields[.contentType] == "application/problem+json")
    }

    @Test func notReadyIsSaidWithARetryAfter() async throws {
        let api = API(upstream: UnreadyUpstream())
        let answer = try await api.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
        #expect(try await api.get("/healthz").status == 200)
    }

    /// Everything that is not the API's.
    final class Files: RequestHandler {
        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            .response(Response(status: .ok, body: .bytes(Array("a file".utf8))))
        }
    }

    @Test(arguments: [
        ("/", true), ("/index.html", true), ("/ui/a.js?x=1", true), ("/feedsx", true),
        ("/feeds", false), ("/feeds/", false), ("/pull", false), ("/metrics", false),
        ("/events", false), ("/openapi.json", false), ("/problems/x", false),
    ])
    func otherPathsAreAnotherHandlers(_ target: String, _ isFile: Bool) async throws {
        let answer = try await API(fallback: Files()).get(target)
        #expect((answer.text == "a file") == isFile)
    }
}
