import Dispatch
package import HTTPTypes
import HTTPWire
import Platform
import Synchronization

/// Serves the files of a folder to `GET` and `HEAD`: `index.html` for a folder, ranges, validators,
/// and compression where it makes a file smaller.
///
/// Opening a file may wait for a disk and compressing it takes time, so both are done on a
/// background queue.
package final class FileHandler: RequestHandler {
    private let folder: Folder
    private let problem: @Sendable (HTTPResponse.Status, String) -> Response
    /// The release that the folder's `release.js` describes, with the entity tag of that file;
    /// `nil` before it is read.
    private let release = Mutex<(tag: EntityTag, value: FileRelease?)?>(nil)
    private let cache: FileCache
    private let queue = DispatchQueue(label: "freshet.files", attributes: .concurrent)

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - interval: The time for which a cached response is used without checking the file; a
    ///     change shows after at most twice that time.
    ///   - clock: Returns milliseconds; never goes back.
    package init(
        folder: Folder,
        checkedEvery interval: Duration = .seconds(1),
        clock: @escaping @Sendable () -> Int = { System.monotonicMilliseconds() },
        problem: @escaping @Sendable (HTTPResponse.Status, String) -> Response
    ) {
        self.folder = folder
        self.problem = problem
        cache = FileCache(interval: Int(interval / .milliseconds(1)), clock: clock)
    }

    package func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        switch request.head.method {
        case .get, .head:
            if let response = cache.response(to: request.head) {
                return .cached(response)
            }
            return .later { [self] responder in
                queue.async { self.answer(request, responder) }
            }
        case .options:
            return .response(Response(status: .noContent, fields: [.allow: FileHandler.methods]))
        case .other:
            let method = request.head.methodName
            return .response(problem(.notImplemented, "the method \(method) is not known"))
        default:
            var response = problem(.methodNotAllowed, "files can be read, not changed")
            response.fields[.allow] = FileHandler.methods
            return .response(response)
        }
    }

    private static let methods = "GET, HEAD, OPTIONS"
}

extension FileHandler {
    private func answer(_ request: Request, _ responder: Responder) {
        guard let segments = try? request.head.pathSegments() else {
            return responder(problem(.badRequest, "the request target could not be read"))
        }
        do throws(SystemError) {
            try answer(request.head, segments, responder)
        } catch {
            responder(problem(.serviceUnavailable, "the file cannot be opened now"))
        }
    }

    /// Finds the file that a path names, and responds with it, with a redirection, or with `404`.
    private func answer(
        _ head: RequestHead,
        _ path: [String],
        _ responder: Responder
    ) throws(SystemError) {
        var segments = path
        let namesFolder = segments.last?.isEmpty ?? true
        if namesFolder { segments = segments.dropLast() }
        let version = FileRelease.version(of: segments.first)
        if version != nil { segments.removeFirst() }
        if namesFolder { segments.append("index.html") }
        let hasPages = version == nil
        if hasPages || !namesFolder, let file = try folder.open(segments) {
            let plain = try representation(of: file, at: segments, in: version)
            return try send(plain, at: segments, head, responder)
        }
        if hasPages, !namesFolder, try folder.hasFolder(at: segments) {
            return responder(redirection(for: head))
        }
        responder(problem(.notFound, "there is nothing at \(head.path)"))
    }

    /// Redirects to a folder's URL with the trailing slash that relative links on its page need
    /// (RFC 3986 §5.2.3).
    ///
    /// The URL is relative to the request's, which may be below the path of a proxy. The dot keeps
    /// a colon or a slash in the name from being taken for a scheme or a host (RFC 3986 §4.2).
    private func redirection(for head: RequestHead) -> Response {
        let path = "./" + head.path.split(separator: "/").suffix(1).joined() + "/"
        let query = head.targetParts.query.map { "?" + head.string($0) } ?? ""
        return Response(status: .permanentRedirect, fields: [.location: path + query])
    }
}

/// Serves pages and files by the release of the web client (``FileRelease``).
extension FileHandler {
    /// Returns the representation of a file without a content coding.
    ///
    /// - Parameter version: The release that the URL names, which may not be the folder's current
    ///   one; `nil` if the URL names none.
    /// - Returns: The file as it is, a page whose links name the release, or a file of the release,
    ///   which caches may store forever.
    /// - Throws: ``SystemError`` if the release cannot be determined.
    private func representation(
        of file: OpenFile,
        at path: [String],
        in version: String?
    ) throws(SystemError) -> FileRepresentation {
        let plain = FileRepresentation(file, FileType(name: path.last ?? ""))
        let isPage = plain.type.isDocument
        // A page belongs to no release: its links name the release, relative to the page.
        guard isPage ? version == nil && path.count == 1 : version != nil,
            file.byteCount <= FileCache.codedByteCounts.upperBound,
            let release = try currentRelease(), let content = file.readUnchanged()
        else { return plain }
        guard let version else { return plain.replaced(release.page(content)) }
        let isOfRelease =
            version == release.version && release.has(content, at: path.joined(separator: "/"))
        return isOfRelease ? plain.named(content) : plain
    }

    /// Returns the release that the folder's list describes, read again if it has changed; `nil`
    /// without a list.
    private func currentRelease() throws(SystemError) -> FileRelease? {
        guard let list = try folder.open(["release.js"]), let tag = list.tag,
            list.byteCount <= FileHandler.listByteLimit
        else { return nil }
        if let known = release.withLock({ $0?.tag == tag ? $0 : nil }) { return known.value }
        guard let content = list.readUnchanged() else { return nil }
        let read = FileRelease(list: content)
        release.withLock { $0 = (tag, read) }
        return read
    }

    /// The most bytes of `release.js`.
    private static let listByteLimit = 1 << 20
}

/// Chooses a file's coding, and responds with the file.
extension FileHandler {
    /// Responds with a file, in the coding that suits the request; the response is cached.
    private func send(
        _ plain: FileRepresentation,
        at path: [String],
        _ head: RequestHead,
        _ responder: Responder
    ) throws(SystemError) {
        let ranges = plain.takesRanges ? RangeRequest(head) : nil
        let checked = cache.now()
        let give: @Sendable (FileRepresentation, RangeRequest?) -> Void = {
            self.give($0, for: head, $1, responder)
            self.cache.keep($0, for: head, checked: checked)
        }
        let choice =
            plain.type.isCompressible
            ? head.acceptEncoding.choice : .identity
        guard choice.coding != .identity else { return give(plain, ranges) }
        if choice.coding == .gzip, plain.made == nil,
            let packed = try packedFile(plain.file, at: path)
        {
            return give(plain.precompressed(packed), ranges)
        }
        // Ranges are served from the file itself, never from content compressed just now.
        if !choice.isForced, let ranges, ranges.holds(plain.validators) {
            return give(plain, ranges)
        }
        cache.coded(plain, choice) { give($0, nil) }
    }

    /// Returns the file's precompressed copy, named with `.gz`, unless it is older than the file.
    private func packedFile(_ file: OpenFile, at path: [String]) throws(SystemError) -> OpenFile? {
        let name = (path.last ?? "") + ".gz"
        guard let packed = try folder.open(path.dropLast() + [name]),
            packed.modified >= file.modified
        else { return nil }
        return packed
    }

    /// Responds with a representation, or with the `304`, `412` or `416` in its place.
    private func give(
        _ representation: FileRepresentation,
        for head: RequestHead,
        _ ranges: RangeRequest?,
        _ responder: Responder
    ) {
        let response = representation.answer(to: head, ranges, now: System.wallSeconds())
        let detail: String
        switch response.status {
        case .preconditionFailed: detail = "the file is not the one that the request expects"
        case .rangeNotSatisfiable: detail = "the file has no such part"
        default: return responder(response)
        }
        var failure = problem(response.status, detail)
        failure.fields.append(contentsOf: response.fields)
        responder(failure)
    }
}
