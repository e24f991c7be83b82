import FeedModel
import FeedSources
import FeedStore

extension ServeSettings {
    /// The warning that `keep-versions` has no effect; `nil` if it has one.
    var retentionWarning: String? {
        guard !contents.retention.isEmpty else { return nil }
        if mirror != nil { return "keep-versions has no effect on a mirror: its origin keeps them" }
        return dataFolder == nil
            ? "keep-versions has no effect: feeds are kept in memory alone" : nil
    }

    /// The server that this server follows.
    struct Mirror: Equatable {
        var origin: String
        var key: String
        var patterns: [String]
        /// A file of certificates that are trusted instead of the system's.
        var authorities: String?
    }

    /// The settings of feeds by name: the origin of their content, the limits on removals, and the
    /// number of versions that are kept.
    struct Contents: Equatable, Sendable {
        /// The feeds that have a source.
        var sources: [SourceSettings] = []
        /// The feeds that are derived from other feeds.
        var derivations: [Derivation] = []

        /// The rules on the number of items that one publish may remove.
        var guards = FeedRules<RemovalGuard>()

        /// The number of older versions that are kept.
        var retention = FeedRules<Retention>()

        /// The feeds that are derived from other feeds, each with the patterns of its sources.
        var derivedFeeds: [FeedName: [FeedPattern]] {
            Dictionary(derivations.map { ($0.feed, $0.from) }) { first, _ in first }
        }
    }
}
