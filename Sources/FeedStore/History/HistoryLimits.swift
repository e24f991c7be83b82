/// The limits on remembered past versions (docs/PROTOCOL.md, "Limits").
///
/// Weights are in bytes, as ``History`` counts them.
package struct HistoryLimits: Sendable {
    /// The number of a feed's last versions that are kept whatever they weigh, including the
    /// current one.
    package var alwaysVersions = 8

    /// The time for which a version is kept after it was superseded; only `totalWeight` overrides
    /// it.
    package var alwaysDuration: Duration = .seconds(60)

    /// The most weight of a past version and all newer ones, for versions outside those two groups.
    package var weight = 16 << 20

    /// The most versions of a feed, unless those two groups have more.
    package var versions = 1000

    /// The most weight of the remembered versions of all feeds.
    package var totalWeight = 256 << 20

    /// Makes the limits that are the protocol's defaults.
    package init() {}
}
