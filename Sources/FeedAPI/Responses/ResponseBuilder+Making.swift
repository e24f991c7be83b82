import FeedModel
import FeedStore
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire

extension ResponseBuilder {
    /// Makes a response for many; `responses` may have the same document in another form, and the
    /// changes from the version before.
    ///
    /// - Parameter isWanted: Asked now and then.
    /// - Returns: `nil` when it was given up because it is not wanted any more.
    func make(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        with responses: VersionResponses,
        while isWanted: () -> Bool
    ) -> Payload? {
        let choice = choice.resolved(by: self)
        var key = asked
        key.kind = choice.kind
        // Clients that waited are told the same under another head.
        var unmarked = key
        unmarked.waitMark = nil
        if key.waitMark != nil, let made = responses[unmarked] {
            let document = choice.described(made.body)
            return cached(document, coded: made.body, made.coding, choice.version, key.waitMark)
        }
        if key.kind != asked.kind, let made = responses[key] { return made }
        var plain = unmarked
        plain.coding = .identity
        var document: Document
        if let made = responses[plain] {
            document = choice.described(made.body)
        } else {
            document = choice.document(with: responses, by: self)
            counters.addDocument()
        }
        return cached(document, choice.version, key.coding, key.waitMark, while: isWanted)
    }
}

/// The documents as parts of a gzip stream or of a stream of events.
extension ResponseBuilder {
    /// Makes a document in a form; the plain one is taken from `responses`, if it is there.
    ///
    /// - Returns: `nil` when it was given up because it is not wanted any more.
    func make(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        with responses: VersionResponses,
        while isWanted: () -> Bool
    ) -> Payload? {
        let key = ResponseKey(choice, .response)
        let made = responses[key]
        if form == .response {
            return made ?? make(choice, key, with: responses, while: isWanted)
        }
        let document = body(choice, made, responses)
        let content =
            switch form {
            case .response, .gzipPart: document
            case .event, .gzipEvent:
                ResponseBuilder.eventStart(document) + ResponseBuilder.eventEnd(choice.version)
            case .eventStart, .gzipEventStart: ResponseBuilder.eventStart(document)
            }
        guard form.isCoded else { return Payload(content: content) }
        counters.addCompression()
        return GzipPart(content, while: isWanted).map {
            Payload(content: $0.blocks, part: $0)
        }
    }

    /// Returns the document alone: a response with it has a head that may never be asked for.
    private func body(
        _ choice: DocumentChoice,
        _ made: Payload?,
        _ responses: VersionResponses
    ) -> [UInt8] {
        if let made { return made.body }
        counters.addDocument()
        return choice.document(with: responses, by: self).body
    }

    /// An event with a document, which has no line end in it, without its id and the empty line
    /// behind it (HTML Standard, “Server-sent events”).
    private static func eventStart(_ document: [UInt8]) -> [UInt8] {
        let kind = document.dropFirst(#"{"kind":""#.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
        return Array("event: ".utf8) + kind + Array("\ndata: ".utf8) + document
            + [UInt8(ascii: "\n")]
    }

    /// The end of an event of a stream of one feed: the line with the token, and an empty one.
    private static func eventEnd(_ version: Version) -> [UInt8] {
        Array("id: \(version.token)\n\n".utf8)
    }
}

extension ResponseKey {
    /// Names the document in a form.
    init(_ choice: DocumentChoice, _ form: Form) {
        self.init(kind: choice.kind, view: choice.view, form: form)
    }
}

extension Payload {
    /// About the bytes of memory that it takes, with its place among others and its share of what
    /// is kept beside them.
    var byteCount: Int { bodyByteCount == 0 ? headByteCount + 400 : bodyByteCount + 1100 }
}
