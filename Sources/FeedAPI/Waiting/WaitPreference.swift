import FeedModel
import HTTPWire

/// The longest time that a client is willing to wait for a response (RFC 7240 §4.3;
/// docs/READING.md, "Waiting for the next change").
struct WaitPreference: Sendable {
    /// The time in seconds, from 0 to 60.
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
    /// - Returns: `nil` if the client has no such preference.
    /// - Throws: `400` for a parameter that is malformed or repeated. A malformed preference counts
    ///   as absent (RFC 7240 §2).
    init?(_ request: borrowing RoutedRequest) throws(Problem) {
        let parameter = try request.query.number(.wait)
        isPreference = parameter == nil
        guard let seconds = parameter ?? WaitPreference.preference(request.head) else { return nil }
        self.seconds = min(seconds, WaitPreference.longest)
    }

    /// Returns the seconds in Prefer, if there are any.
    private static func preference(_ head: RequestHead) -> Int? {
        guard head.has(.prefer) else { return nil }
        return Preferences(head.value(.prefer))["wait"]?.utf8.span.wholeNumber
    }
}
