/// The conditions of the network and of the app, which decide how feeds are followed.
///
/// On Apple's systems `NWPath` says the first two, and the life cycle of scenes the third.
public struct NetworkConditions: Sendable, Hashable {
    /// Low Data Mode, or the like: feeds are polled as often as the server finds it worth it.
    public var isConstrained = false

    /// A network that costs, such as a mobile one.
    public var isExpensive = false

    /// Whether feeds are streamed on an expensive network; if not they are polled there.
    public var streamsWhereExpensive = true

    /// The app is in the background: nothing is asked for. Afterwards connections are made anew,
    /// and the first thing is a request for what is new.
    public var isSuspended = false

    /// The number of the session, which changes when a person signs out: connections that were
    /// opened before are given up.
    var session = 0

    /// A network without limits, and an app on the screen.
    public init() {}

    /// Whether connections may be kept open.
    var allowsStreams: Bool { !isConstrained && (!isExpensive || streamsWhereExpensive) }
}
