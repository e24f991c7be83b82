import FeedModel
import HTTPWire

/// For how long a request is ready to wait, and how it said so (docs/READING.md, "Waiting for the
/// next change").
struct WaitPreference: Sendable {
    /// 1 to 60.
    let seconds: Int

    /// Whether it was asked for by the Prefer field, which the answer then says was applied
    /// (RFC 7240 §3).
    let isPreference: Bool

    static let longest = 60

    /// The part of the preference that the response repeats.
    struct Mark: Hashable, Sendable {
        /// The seconds that were preferred; `nil`: nothing.
        let preferred: Int?
    }

    var mark: Mark { Mark(preferred: isPreference ? seconds : nil) }

    /// Reads the preference of a request: `wait` in the query, else in Prefer.
    ///
    /// - Returns: `nil` for an answer at once.
    /// - Throws: `400` for a parameter that is malformed or repeated. A preference that cannot be
    ///   read counts as absent (RFC 7240 §2).
    init?(_ request: borrowing RoutedRequest) throws(Problem) {
        if let seconds = try request.query.number(.wait) {
            self.init(seconds: seconds, isPreference: false)
            return
        }
        guard request.head.has(.prefer),
            let preferred = Preferences(request.head.value(.prefer))["wait"],
            let seconds = preferred.utf8.span.wholeNumber
        else { return nil }
        self.init(seconds: seconds, isPreference: true)
    }

    private init?(seconds: Int, isPreference: Bool) {
        guard seconds > 0 else { return nil }
        self.seconds = min(seconds, WaitPreference.longest)
        self.isPreference = isPreference
    }
}
