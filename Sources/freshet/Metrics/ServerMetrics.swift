import Dispatch
import FeedAPI
import FeedJournal
import FeedMirror
import FeedModel
import FeedSources
import FeedStore
import HTTPServer
import Synchronization

/// Gathers the metrics of all parts of a server.
final class ServerMetrics: MetricsSource {
    /// The parts of a server that have metrics.
    struct Parts: Sendable {
        let server: HTTPServer
        let api: FeedAPI
        /// The journal that keeps feeds, if there is one.
        let journal: (any ExchangingJournal)?
        let mirror: Mirror?
        let sources: ConfiguredSources
        /// The folder of the feeds, if they are kept in a folder.
        let dataFolder: String?
    }

    private let parts = Mutex<Parts?>(nil)
    /// The queue on which metrics are put together, away from the event loops.
    ///
    /// The work takes milliseconds with many connections, and may wait for a disk.
    private let queue = DispatchQueue(label: "freshet.metrics")

    /// The number of sources that have metrics of their own, the first by name.
    private static let sourceLimit = 1000

    init() { _ = ProcessMetrics.start }

    /// Takes the parts to gather metrics from; before, there are only the metrics of the process.
    func begin(_ parts: Parts) {
        self.parts.withLock { $0 = parts }
    }

    /// Forgets the parts, which in turn hold this object.
    func end() {
        parts.withLock { $0 = nil }
    }

    func collect(_ completion: @escaping @Sendable ([MetricFamily]) -> Void) {
        guard let parts = parts.withLock(\.self) else {
            return completion(ProcessMetrics.families)
        }
        parts.server.report { [queue] loops in
            queue.async { completion(ServerMetrics.families(parts, loops)) }
        }
    }

    private static func families(_ parts: Parts, _ loops: [LoopReport]) -> [MetricFamily] {
        [MetricFamily](loops, routes: parts.api.routeNames) + parts.api.metricFamilies + own(parts)
            + ProcessMetrics.families
    }

    func status(_ completion: @escaping @Sendable (ServerStatus) -> Void) {
        guard let parts = parts.withLock(\.self) else {
            return completion(ProcessMetrics.status)
        }
        parts.server.report { [queue] loops in
            queue.async { completion(ServerMetrics.status(parts, loops)) }
        }
    }

    private static func status(_ parts: Parts, _ loops: [LoopReport]) -> ServerStatus {
        var status = ProcessMetrics.status
        status.loops = loops
        status.journal = parts.journal.map { journal in
            (journal.trouble.map { "\($0)" }, parts.dataFolder.flatMap(FileContents.freeByteCount))
        }
        status.mirror = parts.mirror.map { ($0.isFollowing, $0.behindFeedCount) }
        return status
    }

    func readers(of topics: [Topic], _ completion: @escaping @Sendable ([Int]) -> Void) {
        guard let parts = parts.withLock(\.self) else {
            return completion(topics.map { _ in 0 })
        }
        parts.server.readerCounts(of: topics) { [queue] counts in
            queue.async { completion(counts) }
        }
    }

    private static func own(_ parts: Parts) -> [MetricFamily] {
        var families: [MetricFamily] = []
        if let journal = parts.journal { families += metrics(of: journal) }
        if let free = parts.dataFolder.flatMap(FileContents.freeByteCount) {
            let help = "Room on the disk of the data folder"
            families.append(MetricFamily("freshet_data_free_bytes", .gauge, help, at: free))
        }
        families += sources(parts.sources)
        if let mirror = parts.mirror { families += metrics(of: mirror) }
        if let time = parts.api.cutOffTime {
            families.append(
                MetricFamily(
                    "freshet_upstream_silence_seconds",
                    .gauge,
                    "For how long the server was cut off from its database or its origin; 0: it is "
                        + "not",
                    at: time / .seconds(1)
                )
            )
        }
        return families
    }

    private static func metrics(of journal: any ExchangingJournal) -> [MetricFamily] {
        let counts = journal.counters
        return [
            MetricFamily(
                "freshet_journal_entries",
                .counter,
                "Publishes that were kept",
                at: counts.entries
            ),
            MetricFamily(
                "freshet_journal_syncs",
                .counter,
                "Transactions, each synced once, that have one or more publishes",
                at: counts.transactions
            ),
            MetricFamily(
                "freshet_journal_failures",
                .counter,
                "How often something could not be written, or the database was lost",
                at: counts.failures
            ),
            MetricFamily(
                "freshet_journal_reopenings",
                .counter,
                "How often the file was opened anew, or the database connected again",
                at: counts.reopenings
            ),
            MetricFamily(
                "freshet_journal_healthy",
                .gauge,
                "Whether publishes can be kept at the moment",
                at: journal.trouble == nil ? 1 : 0
            ),
        ]
    }

    private static func sources(_ sources: ConfiguredSources) -> [MetricFamily] {
        var success = MetricFamily(
            "freshet_source_last_success_timestamp_seconds",
            .gauge,
            "When a feed's source was read last without a failure; 0: never"
        )
        var failures = MetricFamily(
            "freshet_source_failures",
            .gauge,
            "How often in a row a feed's source could not be read"
        )
        for (feed, report) in sources.sources.reports.prefix(sourceLimit) {
            success.add(report.succeeded, ["feed": feed.rawValue])
            failures.add(report.failureCount, ["feed": feed.rawValue])
        }
        var reasons = MetricFamily(
            "freshet_sources_failing",
            .gauge,
            "Sources that could not be read at their last try, by what was wrong"
        )
        let failed = sources.sources.failing
        for reason in SourceFailure.Reason.allCases {
            reasons.add(failed[reason] ?? 0, ["reason": reason.rawValue])
        }
        let counts = sources.sources.pushCounts
        var pushes = MetricFamily(
            "freshet_source_pushes",
            .counter,
            "What hubs pushed, and what was ignored since its signature was wrong"
        )
        pushes.add(counts.received, ["result": "taken"])
        pushes.add(counts.ignored, ["result": "ignored"])
        let failing = MetricFamily(
            "freshet_derived_feeds_failing",
            .gauge,
            "Derived feeds that cannot be published",
            at: sources.derivations.failureCount
        )
        return [success, failures, reasons, pushes, failing]
    }

    private static func metrics(of mirror: Mirror) -> [MetricFamily] {
        [
            MetricFamily(
                "freshet_mirror_following",
                .gauge,
                "Whether the mirror hears of every change of its origin now",
                at: mirror.isFollowing ? 1 : 0
            ),
            MetricFamily(
                "freshet_mirror_feeds_behind",
                .gauge,
                "Feeds that are known to differ from the origin's",
                at: mirror.behindFeedCount
            ),
        ]
    }
}
