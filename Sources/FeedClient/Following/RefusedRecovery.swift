/// The error for a feed whose changes did not fit its loaded version, if the server for now refuses
/// the request that would repair the feed.
struct RefusedRecovery: Error {
    /// The server's refusal.
    let error: FeedServiceError

    /// The delay that the server asks for in Retry-After; `nil`: none.
    let retryAfter: Duration?

    /// Makes the error from a response; `nil`: the response is no refusal for now.
    init?(_ result: FeedResult) {
        guard result.isRefusedForNow else { return nil }
        error = result.refusal
        retryAfter = result.retryAfter
    }
}

extension FeedResult {
    /// Whether the server, or a proxy on the way to it, cannot answer at present: status 429 (RFC
    /// 6585 §4) or 5xx.
    var isRefusedForNow: Bool { status == 429 || status >= 500 }
}
