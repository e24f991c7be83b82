import Dispatch
package import HTTPTypes
package import HTTPWire

/// Serves the files of a folder: `GET` and `HEAD`, `index.html` for a folder, entity tags and
/// dates for caches.
///
/// Opening a file may wait for a disk, so it is done on a queue in the background.
package struct FileHandler: RequestHandler {
    private let folder: Folder
    private let problem: @Sendable (HTTPResponse.Status, String) -> Response
    private let queue = DispatchQueue(label: "freshet.files", attributes: .concurrent)

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - folder: Whose files are served.
    ///   - problem: Makes the answer of an error from its status and what was wrong.
    package init(
        folder: Folder,
        problem: @escaping @Sendable (HTTPResponse.Status, String) -> Response
    ) {
        self.folder = folder
        self.problem = problem
    }

    package func receive(_ request: Request) -> Reception {
        switch request.head.method {
        case .get, .head:
            return .later { responder in
                queue.async { responder(answer(to: request)) }
            }
        case .options:
            return .answer(Response(status: .noContent, fields: [.allow: FileHandler.methods]))
        case let method where !FileHandler.otherMethods.contains(method):
            return .answer(problem(.notImplemented, "the method \(method.rawValue) is not known"))
        default:
            var response = problem(.methodNotAllowed, "files can be read, not changed")
            response.fields[.allow] = FileHandler.methods
            return .answer(response)
        }
    }

    package func refusal(_ error: RequestError) -> Response {
        problem(.badRequest, "the request could not be read")
    }

    package func timedOut() -> Response {
        problem(.requestTimeout, "the request did not arrive in time")
    }

    private static let methods = "GET, HEAD, OPTIONS"

    /// Those that are known and of no use here; any other is answered with 501 (RFC 9110 §9.1).
    private static let otherMethods: Set<HTTPRequest.Method> = [
        .post, .put, .patch, .delete, .connect, .trace,
    ]
}

extension FileHandler {
    private func answer(to request: Request) -> Response {
        guard let target = try? RequestTarget(request.head) else {
            return problem(.badRequest, "the request target could not be read")
        }
        do throws(SystemError) {
            return try answer(to: request.head, target)
        } catch {
            return problem(.serviceUnavailable, "the file cannot be opened now")
        }
    }

    private func answer(
        to head: RequestHead,
        _ target: RequestTarget
    ) throws(SystemError) -> Response {
        var segments = target.segments[...]
        let namesFolder = segments.last?.isEmpty ?? true
        if namesFolder { segments = segments.dropLast() }
        switch try folder.open(segments) {
        case .file(let file) where !namesFolder:
            return answer(to: head, with: file, name: segments.last ?? "")
        case .folder where namesFolder:
            if case .file(let index) = try folder.open(segments + ["index.html"]) {
                return answer(to: head, with: index, name: "index.html")
            }
        case .folder:
            return redirection(to: target)
        case .file, nil: break
        }
        return problem(.notFound, "there is nothing at \(target.rawPath)")
    }

    private func answer(to head: RequestHead, with file: OpenFile, name: String) -> Response {
        let response = FileRepresentation(file, name: name).answer(to: head)
        guard response.status == .preconditionFailed else { return response }
        return problem(.preconditionFailed, "the file is not the one that the request expects")
    }

    /// A folder's relative links need the slash at its end (RFC 3986 §5.2.3).
    private func redirection(to target: RequestTarget) -> Response {
        // "//host" at the start would name another server.
        let path = "/" + target.rawPath.drop { $0 == "/" } + "/"
        let query = target.rawQuery.map { "?" + $0 } ?? ""
        return Response(status: .permanentRedirect, fields: [.location: path + query])
    }
}
