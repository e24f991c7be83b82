import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// HEAD and `304` of what is not made already: nothing is made for them, but where it takes the
/// document to tell how that is coded, and so which tag they have.
extension FeedAPI {
    /// The answer where no content is sent, and it can be told which tag it has: nothing is made
    /// then.
    ///
    /// Where it cannot be told how the document would be coded, and making it would cost much, a
    /// `304` has the first tag that matched.
    func headOnly(
        _ choice: DocumentChoice,
        _ key: ResponseKey,
        _ context: borrowing VersionRead
    ) -> FinalResponse? {
        guard context.isNotModified || context.requester.isHead else { return nil }
        guard let coding = choice.foreseenCoding(key.coding) else {
            guard context.namesItsTag, !isCheap(choice, context.responses) else { return nil }
            return notModified(key, sent: nil, context)
        }
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

    /// The head of a document.
    private func head(
        _ document: ResponseBuilder.Document,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?,
        _ context: borrowing VersionRead
    ) -> FinalResponse {
        var response = builder.head(document, context.version, coding, mark)
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
