/// For how long a connection may do what it does, in milliseconds: ``ServerLimits`` as its state
/// looks at them with every step.
struct ConnectionTimes: Sendable {
    let handshake: Int
    let head: Int
    let idle: Int
    let progress: Int
    let progressByteCount: Int
    let streamIdle: Int
    let streamProgress: Int
    let lingering: Int
    let reserve: Int
    let drain: Int

    init(_ limits: ServerLimits) {
        handshake = limits.handshakeTime.milliseconds
        head = limits.headTime.milliseconds
        idle = limits.idleTime.milliseconds
        progress = limits.progressTime.milliseconds
        progressByteCount = limits.progressByteCount
        streamIdle = limits.streamIdleTime.milliseconds
        streamProgress = limits.streamProgressTime.milliseconds
        lingering = limits.lingeringTime.milliseconds
        reserve = limits.reserveTime.milliseconds
        drain = limits.drainTime.milliseconds
    }
}
