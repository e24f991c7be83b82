import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// HEAD and `304` of what is not made already: nothing that costs much is made for them.
extension FeedAPI {
    /// The answer where no content is sent and making it would cost much: nothing is made then.
    ///
    /// Where it cannot be told how the document would be coded, a HEAD names no tag
    /// (RFC 9110 §9.3.2), and a `304` one of those that matched.
    func withoutDocument(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome,
        _ origin: RequestOrigin
    ) -> FinalResponse? {
        let isNotModified = if case .notModified = outcome { true } else { false }
        guard isNotModified || origin.isHead else { return nil }
        let coding = choice.foreseenCoding(key.coding)
        if coding == nil, isCheap(choice, responses) { return nil }
        if case .notModified(let match) = outcome {
            let matched = match.coding(asSent: coding ?? .identity)
            let substitute = ResponseKey.Substitute(key.kind, of: version.token)
            let response = notModified(substitute, key.poll, version, matched, responses)
            return .cached(response, completion(version, responses, origin))
        }
        let document = choice.described([])
        return head(document, coding, version, responses, key.poll, origin)
    }

    /// The answer where no content is sent, and its coding is known: nothing is made then.
    func withoutContent(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding,
        _ key: ResponseKey,
        _ version: Version,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome,
        _ origin: RequestOrigin
    ) -> FinalResponse? {
        if case .notModified(let match) = outcome {
            let matched = match.coding(asSent: coding)
            let substitute = ResponseKey.Substitute(key.kind, of: version.token)
            let response = notModified(substitute, key.poll, version, matched, responses)
            return .cached(response, completion(version, responses, origin))
        }
        return origin.isHead ? head(document, coding, version, responses, key.poll, origin) : nil
    }

    /// The head of a document, without a tag where its coding cannot be told.
    private func head(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding?,
        _ version: Version,
        _ responses: VersionResponses,
        _ poll: WaitPreference.Mark?,
        _ origin: RequestOrigin
    ) -> FinalResponse {
        var response = builder.head(document, version, coding ?? .identity, poll)
        if coding == nil { response.fields[.eTag] = nil }
        let completion = completion(version, responses, origin)
        response.fields[.refreshAfter] = completion.number.map(String.init)
        builder.cors.addListed(to: &response.fields, for: origin)
        return .response(response)
    }

    /// Whether a document of a long feed costs little all the same.
    func isCheap(_ choice: DocumentChoice, _ responses: VersionResponses) -> Bool {
        var knowsDelta = false
        if case .changes(let since, _) = choice.kind {
            knowsDelta = responses.delta(since: since) != nil
        }
        return choice.isCheap(knowsDelta: knowsDelta)
    }
}
