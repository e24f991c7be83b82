import FeedModel
import HTTPWire

/// The time for which a request is ready to wait, and where it states that time (docs/READING.md,
/// "Waiting for the next change").
struct WaitPreference: Sendable {
    /// The time in seconds, from 1 to 60.
    let seconds: Int

    /// Whether the time is in the Prefer field; the response then has Preference-Applied (RFC 7240
    /// §3).
    let isPreference: Bool

    static let longest = 60

    /// The part of the preference that the response repeats.
    struct Mark: Hashable, Sendable {
        /// The seconds in Prefer; `nil`: the request has no such preference.
        let preferred: Int?
    }

    var mark: Mark { Mark(preferred: isPreference ? seconds : nil) }

    /// Reads the preference of a request: `wait` in the query, or else in Prefer.
    ///
    /// - Returns: `nil` if the request is not ready to wait.
    /// - Throws: `400` for a parameter that is malformed or repeated. A malformed preference counts
    ///   as absent (RFC 7240 §2).
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
