/// How many past versions are remembered (docs/PROTOCOL.md, "Limits").
///
/// Weights are in bytes, as ``History`` counts them.
package struct HistoryLimits: Sendable {
    /// The last versions of a feed that are kept whatever they weigh, its current one included.
    package var alwaysVersions = 8

    /// A version that was current in this time is kept, too; it goes only for `totalWeight`.
    package var alwaysDuration: Duration = .seconds(60)

    /// What the remembered versions of a feed may weigh beyond those two.
    package var weight = 16 << 20

    /// The number of versions of a feed beyond those two.
    package var versions = 1000

    /// What the remembered versions of all feeds may weigh.
    package var totalWeight = 256 << 20

    /// The limits of the protocol.
    package init() {}
}
