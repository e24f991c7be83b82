import FeedModel
import HTTPTypes
import HTTPWire

/// For how long an answer may be held, and who asked for that (docs/PROTOCOL.md, "Waiting for the
/// next change").
struct Hold: Sendable, Hashable {
    /// 1 to 60.
    let seconds: Int

    /// Whether it was asked for by the Prefer field, which the answer then says was applied
    /// (RFC 7240 §3).
    let isPreference: Bool

    static let longest = 60

    /// What an answer says of it: nothing, or the seconds that were preferred.
    enum Kind: Hashable {
        case silent
        case preferred(seconds: Int)
    }

    var kind: Kind { isPreference ? .preferred(seconds: seconds) : .silent }

    /// What a request asks for: `wait` in the query, else in Prefer.
    ///
    /// - Returns: `nil` for an answer at once.
    /// - Throws: `400` for a parameter that is malformed or repeated. A preference that cannot be
    ///   read counts as absent (RFC 7240 §2).
    init?(_ call: Call) throws(Problem) {
        if let seconds = try call.query.number("wait") {
            self.init(seconds: seconds, isPreference: false)
            return
        }
        let preferred = Preferences(call.head.value(.prefer))["wait"]
        guard let preferred, let seconds = Query.wholeNumber(preferred) else { return nil }
        self.init(seconds: seconds, isPreference: true)
    }

    private init?(seconds: Int, isPreference: Bool) {
        guard seconds > 0 else { return nil }
        self.seconds = min(seconds, Hold.longest)
        self.isPreference = isPreference
    }

    /// Says on an answer that it was held: it is nobody else's.
    func mark(_ fields: inout HTTPFields) {
        fields[.cacheControl] = "no-store"
        if isPreference { fields[.preferenceApplied] = "wait=\(seconds)" }
    }
}
