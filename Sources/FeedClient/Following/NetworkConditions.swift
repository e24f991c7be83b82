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

    /// Whether event streams are used on an expensive network.
    ///
    /// If not, feeds are polled there.
    public var streamsWhereExpensive = true

    /// Whether the app is in the background: no requests are sent.
    ///
    /// Afterwards connections are opened again, and a poll brings the news first.
    public var isSuspended = false

    /// The number of sign-outs.
    ///
    /// A change closes connections that were opened before.
    var session = 0

    /// Makes the conditions of an unlimited network and an app in the foreground.
    public init() {}

    /// Whether connections may be kept open.
    var allowsStreams: Bool { !isConstrained && (!isExpensive || streamsWhereExpensive) }
}
