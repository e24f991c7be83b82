import FeedAPI
import Yams

/// The settings under `rate-limits`, which are in the file alone.
enum RateLimitSetting {
    static let readsByKey = limit("reads-by-key")
    static let readsByAddress = limit("reads-by-address")
    static let publishesByKey = limit("publishes-by-key")
    static let publishesByAddress = limit("publishes-by-address")

    private static func limit(_ name: String) -> Setting<RateLimit> {
        Setting<RateLimit>(name, "a number of requests and a time, such as 600/1m") { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let quota = Int(parts[0]), let window = DurationText.value(String(parts[1]))
            else { return nil }
            return RateLimit(quota: quota, window: window)
        }
    }
}

/// The limits on the requests of one client.
extension ConfigurationReader {
    mutating func readRateLimits(_ node: Node) {
        let path = "rate-limits"
        let names = [
            RateLimitSetting.readsByKey.name, RateLimitSetting.readsByAddress.name,
            RateLimitSetting.publishesByKey.name, RateLimitSetting.publishesByAddress.name,
        ]
        guard let entries = entries(node, path, known: names) else { return }
        file.rateLimits.readsByKey = value(RateLimitSetting.readsByKey, entries, in: path)
        file.rateLimits.readsByAddress = value(RateLimitSetting.readsByAddress, entries, in: path)
        file.rateLimits.publishesByKey = value(RateLimitSetting.publishesByKey, entries, in: path)
        file.rateLimits.publishesByAddress = value(
            RateLimitSetting.publishesByAddress,
            entries,
            in: path
        )
    }
}
