/// The conditions of the network and of the app, which decide how feeds are followed.
///
/// On Apple's systems, ``isConstrained`` and ``isExpensive`` come from `NWPath`, and
/// ``isSuspended`` from the life cycle of scenes.
public struct NetworkConditions: Sendable, Hashable {
    /// Whether data should be saved, such as in Low Data Mode: feeds are polled at the interval
    /// that the server states.
    public var isConstrained = false

    /// Whether the network costs money, such as a mobile one.
    public var isExpensive = false

    /// Whether event streams are used on an expensive network; if not, feeds are polled there.
    public var streamsWhereExpensive = true

    /// Whether the app is in the background, where no requests are sent.
    ///
    /// When the app is back, a poll first brings the changes, and connections are opened again.
    public var isSuspended = false

    /// The number of times that the user has signed out; connections opened before the last
    /// sign-out are closed.
    var session = 0

    /// Makes the conditions of an unlimited network and an app in the foreground.
    public init() {}

    /// Whether connections may be kept open.
    var allowsStreams: Bool { !isConstrained && (!isExpensive || streamsWhereExpensive) }
}
