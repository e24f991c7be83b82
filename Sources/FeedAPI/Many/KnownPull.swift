import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// What a pull asks for, and of which versions: it names the answer among those that are kept.
struct KnownPull: Sendable {
    let digest: ResponseKey.PullDigest
    /// When it is worth asking again.
    let hint: Int
    /// Where answers are kept: beside the version of the first feed that is there.
    let responses: VersionResponses

    /// Finds it where it stands in the request: no name and no token is read more than it takes to
    /// know it again.
    ///
    /// - Returns: `nil` when no feed is there.
    init?(_ request: borrowing RoutedRequest, _ api: FeedAPI) {
        var sum = Sum(api, request.caller)
        let query = request.query
        query.forEach(.feed) { part in
            query.withText(part) { text in
                sum.stream.add(length: text.count)
                sum.stream.add(text)
                let end = text.firstIndex(of: UInt8(ascii: "@"), in: text.indices) ?? text.count
                sum.add(versionOf: text.extracting(0..<end))
            }
        }
        KnownPull.addPresentation(query, to: &sum.stream)
        self.init(sum)
    }

    /// Finds it for one who has waited; others who wait for the same from the same versions on get
    /// the same.
    ///
    /// - Returns: `nil` when no feed is there.
    init?(_ selection: FeedSelection, _ caller: Access.Caller, _ api: FeedAPI) {
        var sum = Sum(api, caller)
        // No text is so long.
        sum.stream.add(length: -100)
        for entry in selection.entries {
            for text in [entry.name, entry.since?.description ?? ""] {
                sum.stream.add(length: text.utf8.count)
                sum.stream.add(text.utf8.span)
            }
            sum.add(versionOf: entry.name.utf8.span)
        }
        let view = selection.view
        let sections = view.sections.map { $0.map(\.string).sorted() }
        let presentation =
            "\(view.limit ?? -1) \(selection.presentation.tellsChanges) \(sections as Any)"
        sum.stream.add(presentation.utf8.span)
        self.init(sum)
    }

    private init?(_ sum: consuming Sum) {
        guard let first = sum.first else { return nil }
        responses = first
        hint = sum.hint
        digest = ResponseKey.PullDigest(sum.stream.digest())
    }

    /// What it is told by: texts, and the versions of the feeds that are there.
    private struct Sum {
        var stream = SHA256Digest.Stream()
        var first: VersionResponses?
        var hint = Int.max
        private let api: FeedAPI
        private let caller: Access.Caller
        private let now: Int

        init(_ api: FeedAPI, _ caller: Access.Caller) {
            self.api = api
            self.caller = caller
            now = api.store.seconds
        }

        mutating func add(versionOf name: Span<UInt8>) {
            guard let version = api.store.current(named: name), api.access.mayRead(name, caller)
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
