import FeedFormats
import FeedModel
import HTTPTypes

/// Reads how many more requests a host allows, from `RateLimit` (RFC draft
/// ietf-httpapi-ratelimit-headers) or from the older fields with one number each.
enum RequestAllowance {
    /// The longest rest, in seconds.
    private static let limit = 24 * 3600

    /// Returns the seconds for which a host wants no other request, so that its remaining requests
    /// last until it allows more; `nil`: the fields do not say.
    static func rest(_ fields: HTTPFields, now: Int) -> Int? {
        let rests = listed(fields) + [numbered(fields, now: now)].compactMap(\.self)
        return rests.max().map { min($0, limit) }
    }

    /// Returns the seconds that each policy in `RateLimit` asks for: `"name";r=0;t=30`, a list of
    /// structured fields, or the older `limit=10, remaining=0, reset=30`.
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

    /// Returns the seconds that `RateLimit-Remaining` and `RateLimit-Reset` ask for, with or
    /// without `X-`; a reset is in seconds, or a time since 1970.
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

    private static func rest(remaining: Int?, seconds: Int?) -> Int? {
        guard let remaining, let seconds, remaining >= 0, 0...1_000_000_000 ~= seconds else {
            return nil
        }
        return remaining == 0 ? seconds : seconds / (remaining + 1)
    }
}
