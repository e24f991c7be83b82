import Dispatch
import HTTPServer
import HTTPTypes
import HTTPWire
import TestSupport

/// Answers as the API would where a test of the engine looks at it, and echoes bodies.
final class PlainHandler: RequestHandler {
    /// The most bytes of a body.
    static let bodyByteLimit = 1 << 20

    func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        let head = request.head
        let query = head.targetParts.query ?? 0..<0
        guard (try? head.pathSegments()) != nil,
            head.bytes.span.extracting(query).isPercentDecodable
        else {
            return .response(response(to: .malformed(.invalidTarget), origin: nil))
        }
        switch (head.path, head.method) {
        case (_, let method) where !PlainHandler.methods.contains(method):
            return .response(Response(status: .notImplemented))
        case ("/healthz", .get), ("/healthz", .head): return .response(.text("alive\n"))
        case ("/slow", .get), ("/slow", .head): return .later(PlainHandler.answerLater)
        case ("/feeds/conformance", .put), ("/slow", .put): return PlainHandler.echo
        case ("*", .options), ("/healthz", .options):
            return .response(Response(status: .noContent, fields: [.allow: "GET, HEAD, OPTIONS"]))
        case ("/healthz", _), ("/feeds/conformance", _), ("*", _):
            return .response(
                Response(status: .methodNotAllowed, fields: [.allow: "GET, HEAD, OPTIONS"])
            )
        default: return .response(Response(status: .notFound))
        }
    }

    func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        guard case .malformed(let error) = refusal else { return Response(refusal) }
        return .text("\(error)", error.status)
    }

    private static let methods: Set<RequestHead.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .connect, .trace,
    ]

    private static let answerLater: @Sendable (Responder) -> Void = { responder in
        DispatchQueue.global().async { responder(.text("alive\n")) }
    }

    private static var echo: Reply {
        .body(
            limit: bodyByteLimit,
            refuse: { _ in Response(status: .contentTooLarge) },
            then: { body in .response(.bytes((try? body.content()) ?? [])) }
        )
    }
}

extension Response {
    static func text(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        bytes(Array(text.utf8), status)
    }

    static func bytes(_ bytes: [UInt8], _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, fields: [.contentType: "text/plain"], body: .bytes(bytes))
    }
}
