/// The error that a feed could not be fetched again after a document did not fit, since the server
/// cannot answer at present.
struct RefusedRecovery: Error {
    /// The server's refusal.
    let error: FeedServiceError

    /// The delay that the server asks for; `nil`: none.
    let retryAfter: Duration?

    /// Makes the error of a response; `nil`: the response is not such a refusal.
    init?(_ result: FeedResult) {
        guard result.isRefusedForNow else { return nil }
        error = result.refusal
        retryAfter = result.retryAfter
    }
}

extension FeedResult {
    /// Whether the server, or something on the way to it, cannot answer at present.
    var isRefusedForNow: Bool { status == 429 || status >= 500 }
}
