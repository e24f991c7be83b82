import FeedModel
import HTTPWire

/// The longest time that a client is willing to wait for a response (RFC 7240 §4.3;
/// docs/READING.md, "Waiting for the next change").
struct WaitPreference: Sendable {
    /// The time in seconds, from 1 to 60.
    let seconds: Int

    /// Whether the request has the time in Prefer, not in its query; the response then has
    /// Preference-Applied (RFC 7240 §3).
    let isPreference: Bool

    /// The longest wait in seconds; a longer preference is shortened to it.
    static let longest = 60

    /// The content of Preference-Applied in the response; responses that differ in it are cached
    /// separately.
    struct Applied: Hashable, Sendable {
        /// The seconds to repeat from Prefer; `nil`: the response has no Preference-Applied.
        let preferred: Int?
    }

    var applied: Applied { Applied(preferred: isPreference ? seconds : nil) }

    /// Reads the preference of a request: `wait` in the query, or else in Prefer.
    ///
    /// - Returns: `nil` if the client wants the response at once.
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
