/// Why what did not fit could not be fetched anew: the server cannot answer now.
struct RefusedRecovery: Error {
    /// In the server's words.
    let error: FeedServiceError

    /// When it is to be asked again, if it says so.
    let retryAfter: Duration?

    /// `nil` where the answer is no such refusal.
    init?(_ result: FeedResult) {
        guard result.isRefusedForNow else { return nil }
        error = result.refusal
        retryAfter = result.retryAfter
    }
}

extension FeedResult {
    /// Whether the server, or something on the way to it, cannot answer now.
    var isRefusedForNow: Bool { status == 429 || status >= 500 }
}
