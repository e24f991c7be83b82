import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension FeedResult {
    /// Makes the result of a request, sent at the time `requested`, with a key or without, from its
    /// HTTP response.
    init(
        head: HTTPURLResponse,
        body: [UInt8],
        hasKey: Bool,
        requested: ContinuousClock.Instant
    ) {
        self.init(
            status: head.statusCode,
            mediaType: head.value(forHTTPHeaderField: "Content-Type"),
            body: body,
            retryAfter: head.delay("Retry-After"),
            refreshAfter: head.delay("Refresh-After"),
            tag: head.value(forHTTPHeaderField: "ETag"),
            requested: requested,
            isPrivate: hasKey && head.variesByKey
        )
    }
}

extension HTTPURLResponse {
    /// Whether Vary names Authorization or is `*` (RFC 9110 §12.5.5).
    fileprivate var variesByKey: Bool {
        (value(forHTTPHeaderField: "Vary") ?? "").split(separator: ",").contains { name in
            let name = name.trimmingCharacters(in: .whitespaces)
            return name == "*" || name.lowercased() == "authorization"
        }
    }

    /// Returns the time to wait, from zero to a day, that a field states in seconds or as a date
    /// (RFC 9110 §10.2.3); `nil` if the field is absent or malformed.
    fileprivate func delay(_ field: String, now: Date = Date()) -> Duration? {
        guard let text = value(forHTTPHeaderField: field) else { return nil }
        let seconds =
            Int(digits: text.utf8).map(Double.init) ?? HTTPDate.date(text)?.timeIntervalSince(now)
        return seconds.map { .seconds(min(max(0, $0), 86_400)) }
    }
}

/// Parses dates in HTTP fields (RFC 9110 §5.6.7).
enum HTTPDate {
    /// Returns the date in one of HTTP's three formats; `nil`: the text has none of them.
    static func date(_ text: String) -> Date? {
        let forms = [
            "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz",
            "EEE MMM d HH:mm:ss yyyy",
        ]
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for form in forms {
            formatter.dateFormat = form
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
