/// Reports that the server, or a proxy on the way to it, cannot answer at present.
struct RefusedForNow: Error {
    /// The refusal.
    let error: FeedServiceError

    /// The delay that the server asks for in Retry-After; `nil`: none.
    let retryAfter: Duration?

    init(_ result: FeedResult) {
        error = result.refusal
        retryAfter = result.retryAfter
    }
}

extension FeedResult {
    /// Whether the server, or a proxy on the way to it, cannot answer at present: status 429 (RFC
    /// 6585 §4) or 5xx.
    var isRefusedForNow: Bool { status == 429 || status >= 500 }
}
