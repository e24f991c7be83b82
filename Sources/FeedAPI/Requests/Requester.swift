/// Who asks, and what of it the one who answers must know.
struct Requester: Sendable {
    /// The allowed origin (the Fetch standard, "CORS protocol"), as its place in the list; `nil`
    /// for any other, and where any origin is allowed.
    var listedOrigin: Int?
    /// Whose work it is.
    var client = ClientID.local
    /// What is left of its quota; `nil` where that is not limited.
    var standing: RateLimiter.Standing?
    /// Whether only the head of the answer is asked for.
    var isHead = false

    /// Of what was asked before anything of it could be read.
    static let unknown = Requester()
}
