import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// What a pull asks for, and of which versions, found where it stands in the request: no name and
/// no token is read more than it takes to know it again.
struct KnownPull {
    let digest: ResponseKey.PullDigest
    /// When it is worth asking again.
    let hint: Int
    /// Where answers are kept: beside the version of the first feed that is there.
    let responses: VersionResponses

    /// - Returns: `nil` when no feed is there.
    init?(_ request: borrowing RoutedRequest, _ api: FeedAPI) {
        var stream = SHA256Digest.Stream()
        var first: VersionResponses?
        var hint = Int.max
        let now = api.store.seconds
        let query = request.query
        query.forEach(.feed) { part in
            query.withText(part) { text in
                stream.add(length: text.count)
                stream.add(text)
                let end = text.firstIndex(of: UInt8(ascii: "@"), in: text.indices) ?? text.count
                guard let version = api.store.current(named: text.extracting(0..<end)),
                    api.access.mayRead(text.extracting(0..<end), request.caller)
                else {
                    stream.add(length: 0)
                    return
                }
                let responses = api.cache.responses(for: version)
                let tag = responses.tag.bytes
                stream.add(length: tag.count)
                stream.add(tag.span)
                hint = min(hint, responses.hint(at: now) { api.builder.polling.hint(version) })
                if first == nil { first = responses }
            }
        }
        guard let first else { return nil }
        responses = first
        self.hint = hint
        KnownPull.addPresentation(query, to: &stream)
        digest = ResponseKey.PullDigest(stream.digest())
    }

    private static func addPresentation(_ query: Query, to stream: inout SHA256Digest.Stream) {
        for parameter in [Query.Parameter.limit, .section, .as] {
            query.forEach(parameter) { part in
                query.withText(part) { text in
                    stream.add(length: -1 - Int(parameter.rawValue))
                    stream.add(length: text.count)
                    stream.add(text)
                }
            }
        }
    }
}

extension ResponseKey.PullDigest {
    fileprivate init(_ bytes: SHA256Digest.Bytes) {
        high = bytes.span.bytes.unsafeLoadUnaligned(as: UInt64.self)
        low = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }
}
