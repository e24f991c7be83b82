import HTTPWire

/// The settings under `limits`, which are in the file alone.
enum LimitSetting {
    static let bodySize = Setting<Int>.byteCount("body-size", 1...(1 << 40))
    static let feedItems = Setting<Int>.number("feed-items", 1...1_000_000_000)
    static let connections = Setting<Int>.number("connections", 1...10_000_000)
    static let targetSize = Setting<Int>.byteCount("target-size", 64...(1 << 20))
    static let headSize = Setting<Int>.byteCount("head-size", 256...(16 << 20))
    static let headFields = Setting<Int>.number("head-fields", 8...HeadLimits.mostFields)
    static let headTime = Setting<Duration>.duration("head-timeout", timeRange)
    static let idleTime = Setting<Duration>.duration("idle-timeout", timeRange)
    static let progressTime = Setting<Duration>.duration("progress-timeout", timeRange)
    static let stopTime = Setting<Duration>.duration("stop-timeout", .zero ... .seconds(3600))

    private static let timeRange = Duration.seconds(1) ... .seconds(86_400)
}
