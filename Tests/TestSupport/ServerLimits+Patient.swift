package import HTTPServer

extension ServerLimits {
    /// The usual limits, but for the times that would run out on a machine that is busy with many
    /// tests at once.
    package static var patient: ServerLimits {
        var limits = ServerLimits()
        limits.handshakeTime = .seconds(600)
        limits.headTime = .seconds(600)
        limits.idleTime = .seconds(600)
        limits.progressTime = .seconds(600)
        limits.sparedTime = .seconds(600)
        return limits
    }
}
