import HTTPTypes

/// Reads how many more requests a host allows, as `RateLimit` says (RFC draft
/// ietf-httpapi-ratelimit-headers), or the older fields of several numbers.
enum RequestAllowance {
    /// The longest rest, in seconds.
    private static let limit = 24 * 3600

    /// For how many seconds a host wants no other request, so that those that it allows last until
    /// it allows more; `nil`: it says nothing of it.
    static func rest(_ fields: HTTPFields, now: Int) -> Int? {
        let rests = listed(fields) + [numbered(fields, now: now)].compactMap(\.self)
        return rests.max().map { min($0, limit) }
    }

    /// `RateLimit: "name";r=0;t=30`, a list of structured fields, or the older `limit=10,
    /// remaining=0, reset=30`.
    private static func listed(_ fields: HTTPFields) -> [Int] {
        guard let text = HTTPField.Name("RateLimit").flatMap({ fields[$0] }) else { return [] }
        let isOlder = text.lowercased().contains("remaining")
        let policies = isOlder ? [text.replacing(",", with: ";")[...]] : text.split(separator: ",")
        return policies.compactMap { policy in
            var numbers: [String: Int] = [:]
            for part in policy.split(separator: ";") {
                let pair = part.filter { $0 != " " }.lowercased().split(separator: "=")
                guard pair.count == 2, let number = Int(pair[1]) else { continue }
                numbers[String(pair[0])] = number
            }
            return rest(
                remaining: numbers["r"] ?? numbers["remaining"],
                seconds: numbers["t"] ?? numbers["reset"]
            )
        }
    }

    /// `RateLimit-Remaining` and `RateLimit-Reset`, with or without `X-`; a reset is in seconds, or
    /// a time since 1970.
    private static func numbered(_ fields: HTTPFields, now: Int) -> Int? {
        for start in ["RateLimit", "X-RateLimit"] {
            func number(_ name: String) -> Int? {
                let value = HTTPField.Name("\(start)-\(name)").flatMap { fields[$0] }
                // Some count in fractions.
                return value.flatMap { Double($0.filter { $0 != " " }) }
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
