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
    func headOnly(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ context: borrowing VersionRead
    ) -> FinalResponse? {
        guard context.isNotModified || context.requester.isHead else { return nil }
        let coding = choice.foreseenCoding(key.coding)
        if coding == nil, isCheap(choice, context.responses) { return nil }
        if let unchanged = notModified(key, sent: coding, context) { return unchanged }
        return head(choice.described([]), coding, key.waitMark, context)
    }

    /// The answer where no content is sent, and its coding is known: nothing is made then.
    func headOnly(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding,
        _ key: ResponseKey,
        _ context: borrowing VersionRead
    ) -> FinalResponse? {
        if let unchanged = notModified(key, sent: coding, context) { return unchanged }
        return context.requester.isHead ? head(document, coding, key.waitMark, context) : nil
    }

    /// The head of a document, without a tag where its coding cannot be told.
    private func head(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding?,
        _ mark: WaitPreference.Mark?,
        _ context: borrowing VersionRead
    ) -> FinalResponse {
        var response = builder.head(document, context.version, coding ?? .identity, mark)
        if coding == nil { response.fields[.eTag] = nil }
        let completion = completion(context)
        response.fields[.refreshAfter] = completion.number.map(String.init)
        builder.cors.addListed(to: &response.fields, for: context.requester)
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
