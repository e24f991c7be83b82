/// What an app knows of the network and of itself, which decides how feeds are followed.
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

    /// Another one when a person has signed out: what was opened before is given up.
    var session = 0

    /// A network without limits, and an app on the screen.
    public init() {}

    /// Whether connections may be kept open.
    var allowsStreams: Bool { !isConstrained && (!isExpensive || streamsWhereExpensive) }
}
