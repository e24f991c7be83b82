import FeedModel
import FeedSources
import FeedStore

extension ServeSettings {
    /// The server that this one follows.
    struct Mirror: Equatable {
        var origin: String
        var key: String
        var patterns: [String]
        /// A file of certificates that are trusted instead of the system's.
        var authorities: String?
    }

    /// The settings of feeds by name: where content comes from, and what a publish may remove.
    struct Contents: Equatable, Sendable {
        /// The feeds that have a source.
        var sources: [SourceSettings] = []
        /// The feeds that are made of others.
        var derivations: [Derivation] = []

        /// How many items one publish may remove.
        var guards = FeedRules<RemovalGuard>()

        /// There are no such feeds.
        static let nothing = Contents()

        private init() {}

        init(_ file: ConfigurationFile) {
            sources = file.sources
            derivations = file.derivations
            guards = file.guards
        }

        /// The feeds that are made of others, each with what names those.
        var derivedFeeds: [FeedName: [FeedPattern]] {
            Dictionary(derivations.map { ($0.feed, $0.from) }) { first, _ in first }
        }
    }
}
