import FeedStore
import Synchronization

/// Collects the metrics of the feeds, of publishes, and of the work on threads.
extension FeedAPI {
    /// The metrics by the newest configuration, which may be another one than this object's.
    package var metricFamilies: [MetricFamily] {
        var api = self
        if let current = service.newestAPI { api = current }
        return api.feedMetrics + api.publishMetrics + api.workMetrics
    }

    private var feedMetrics: [MetricFamily] {
        let cost = store.cost
        var memory = MetricFamily(
            "freshet_feed_memory_bytes",
            .gauge,
            "Memory that feeds take: current versions, past versions, cached responses"
        )
        memory.add(cost.current, ["part": "current"])
        memory.add(cost.history, ["part": "history"])
        memory.add(cost.attached, ["part": "responses"])
        memory.add(store.answerBytes.byteCount, ["part": "idempotency"])
        return [
            MetricFamily("freshet_feeds", .gauge, "Feeds", at: store.feedCount),
            MetricFamily(
                "freshet_versions",
                .gauge,
                "Versions of all feeds that are remembered, with the current ones",
                at: store.versionCount
            ),
            memory,
            MetricFamily(
                "freshet_feed_memory_limit_bytes",
                .gauge,
                "Memory that feeds may take",
                at: store.memoryByteLimit
            ),
            MetricFamily(
                "freshet_documents",
                .counter,
                "Documents that were written out for readers, each for all who ask",
                at: documentCount
            ),
            MetricFamily(
                "freshet_compressions",
                .counter,
                "Documents that were compressed for readers, each for all who ask",
                at: compressionCount
            ),
        ]
    }

    private var publishMetrics: [MetricFamily] {
        let counts = service.publishes.withLock(\.self)
        var carriedOut = MetricFamily(
            "freshet_publishes",
            .counter,
            "Publishes by requests that were carried out, by whether they changed anything"
        )
        carriedOut.add(counts.changed, ["result": "changed"])
        carriedOut.add(counts.unchanged, ["result": "unchanged"])
        var refused = MetricFamily(
            "freshet_publishes_refused",
            .counter,
            "Publishes by requests that were refused for what they say, by the problem's name"
        )
        var reasons = counts.refused
        reasons[.tooManyRemoved, default: 0] += 0
        for (kind, count) in reasons.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            refused.add(count, ["reason": kind.rawValue])
        }
        return [
            carriedOut, refused,
            MetricFamily(
                "freshet_versions_restored",
                .counter,
                "Requests that took a feed back to an older version",
                at: counts.restored
            ),
            MetricFamily(
                "freshet_versions_forgotten",
                .counter,
                "Older versions that were forgotten by requests",
                at: counts.forgotten
            ),
        ]
    }

    private var workMetrics: [MetricFamily] {
        var refused = MetricFamily(
            "freshet_refused_work",
            .counter,
            "Requests that were refused since too many of their kind waited"
        )
        let refusals = service.work.refusals
        refused.add(refusals.count(.reads), ["kind": "read"])
        refused.add(refusals.count(.publishes), ["kind": "publish"])
        var waiting = MetricFamily("freshet_waiting_work", .gauge, "Work that waits for a thread")
        var running = MetricFamily("freshet_running_work", .gauge, "Work that is being done")
        for (kind, size, pool) in service.work.pools {
            let load = pool.load
            waiting.add(load.waiting, ["kind": kind, "size": size])
            running.add(load.running, ["kind": kind, "size": size])
        }
        var limited = MetricFamily(
            "freshet_rate_limited",
            .counter,
            "Requests that were refused since their client sent too many, by limit"
        )
        for (policy, count) in limiter?.refusedCounts ?? [] {
            limited.add(count, ["policy": policy])
        }
        let state = (try? readiness()) ?? ""
        return [
            refused, limited, waiting, running,
            MetricFamily(
                "freshet_ready",
                .gauge,
                "Whether /readyz says that the server is ready for traffic",
                at: state.isEmpty ? 0 : 1
            ),
            MetricFamily(
                "freshet_degraded",
                .gauge,
                "Whether /readyz says that some requests are refused",
                at: state.hasPrefix("degraded") ? 1 : 0
            ),
        ]
    }
}

extension WorkScheduler {
    /// The pools of threads, with the values of their metrics' labels.
    fileprivate var pools: [(kind: String, size: String, pool: WorkPool)] {
        [
            ("read", "small", reads(.small)), ("read", "large", reads(.large)),
            ("publish", "small", publishes(.small)), ("publish", "large", publishes(.large)),
        ]
    }
}

extension FeedAPI {
    /// The time since the connection to the upstream (the server or the database that the feeds
    /// come from) was lost; zero while it is connected, `nil` without an upstream.
    package var cutOffTime: Duration? {
        service.upstream.map { $0.cutOffTime ?? .zero }
    }
}
