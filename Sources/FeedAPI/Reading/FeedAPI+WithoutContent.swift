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
        _ reached: borrowing VersionRead
    ) -> FinalResponse? {
        guard reached.isNotModified || reached.requester.isHead else { return nil }
        let coding = choice.foreseenCoding(key.coding)
        if coding == nil, isCheap(choice, reached.responses) { return nil }
        if case .notModified(let match) = reached.outcome {
            let traits = HeadTraits(key.kind, to: reached.version.token)
            let matched = match.coding(asSent: coding ?? .identity)
            return .cached(
                notModified(reached, traits, matched, key.waitMark),
                completion(reached)
            )
        }
        return head(choice.described([]), coding, key.waitMark, reached)
    }

    /// The answer where no content is sent, and its coding is known: nothing is made then.
    func withoutContent(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding,
        _ key: ResponseKey,
        _ reached: borrowing VersionRead
    ) -> FinalResponse? {
        if case .notModified(let match) = reached.outcome {
            let traits = HeadTraits(key.kind, to: reached.version.token)
            let matched = match.coding(asSent: coding)
            return .cached(
                notModified(reached, traits, matched, key.waitMark),
                completion(reached)
            )
        }
        return reached.requester.isHead ? head(document, coding, key.waitMark, reached) : nil
    }

    /// The head of a document, without a tag where its coding cannot be told.
    private func head(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding?,
        _ mark: WaitPreference.Mark?,
        _ reached: borrowing VersionRead
    ) -> FinalResponse {
        var response = builder.head(document, reached.version, coding ?? .identity, mark)
        if coding == nil { response.fields[.eTag] = nil }
        let completion = completion(reached)
        response.fields[.refreshAfter] = completion.number.map(String.init)
        builder.cors.addListed(to: &response.fields, for: reached.requester)
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
