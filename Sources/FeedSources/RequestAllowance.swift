import FeedFormats
import FeedModel
import HTTPTypes

/// Reads from header fields how long to wait before the next request to a host.
///
/// The field is `RateLimit` (draft-ietf-httpapi-ratelimit-headers), or there are older fields with
/// one number each.
enum RequestAllowance {
    /// The longest wait, in seconds.
    private static let limit = 24 * 3600

    /// Returns the seconds to wait before the next request, so that the remaining requests last
    /// until the host allows more.
    ///
    /// - Parameter now: The time in seconds since 1970.
    /// - Returns: At most a day; `nil`: the fields do not say.
    static func rest(_ fields: HTTPFields, now: Int) -> Int? {
        let rests = listed(fields) + [numbered(fields, now: now)].compactMap(\.self)
        return rests.max().map { min($0, limit) }
    }

    /// Returns the seconds to wait by each policy in `RateLimit`.
    ///
    /// The field is a list such as `"name";r=0;t=30`, or in older drafts a single policy:
    /// `limit=10, remaining=0, reset=30`.
    private static func listed(_ fields: HTTPFields) -> [Int] {
        guard let text = HTTPField.Name("RateLimit").flatMap({ fields[$0] }) else { return [] }
        let isOlder = text.lowercased().contains("remaining")
        let policies = isOlder ? [text.replacing(",", with: ";")[...]] : text.split(separator: ",")
        return policies.compactMap { policy in
            var numbers: [String: Int] = [:]
            for part in policy.split(separator: ";") {
                let pair = part.filter { $0 != " " }.lowercased().split(separator: "=")
                guard pair.count == 2, let number = Int(digits: pair[1].utf8) else { continue }
                numbers[String(pair[0])] = number
            }
            return rest(
                remaining: numbers["r"] ?? numbers["remaining"],
                seconds: numbers["t"] ?? numbers["reset"]
            )
        }
    }

    /// Returns the seconds to wait by `RateLimit-Remaining` and `RateLimit-Reset`, with or without
    /// `X-` before their names.
    ///
    /// A reset is a number of seconds from now, or a time since 1970 in seconds or milliseconds.
    private static func numbered(_ fields: HTTPFields, now: Int) -> Int? {
        for start in ["RateLimit", "X-RateLimit"] {
            func number(_ name: String) -> Int? {
                let value = HTTPField.Name("\(start)-\(name)").flatMap { fields[$0] }
                // Some hosts send fractions.
                return value.flatMap { Double(decimal: $0.filter { $0 != " " }) }
                    .flatMap { 0..<1e15 ~= $0 ? Int($0) : nil }
            }
            guard let reset = number("Reset") else { continue }
            let seconds =
                reset > 1_000_000_000_000
                ? reset / 1000 - now : reset > 1_000_000_000 ? reset - now : reset
            return rest(remaining: number("Remaining"), seconds: seconds)
        }
        return nil
    }

    /// Returns the seconds to wait if the remaining requests are spread evenly over some seconds.
    private static func rest(remaining: Int?, seconds: Int?) -> Int? {
        guard let remaining, let seconds, remaining >= 0, 0...1_000_000_000 ~= seconds else {
            return nil
        }
        return remaining == 0 ? seconds : seconds / (remaining + 1)
    }
}
