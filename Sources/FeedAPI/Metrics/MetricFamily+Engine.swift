package import HTTPServer
import HTTPWire

/// Makes the metrics of the HTTP engine from the reports of its event loops.
extension [MetricFamily] {
    /// Makes the families of the engine; the result is empty without loops.
    ///
    /// - Parameter routes: The names of the routes, by their index in the reports.
    package init(_ loops: [LoopReport], routes: [String]) {
        guard let first = loops.first else {
            self = []
            return
        }
        let sum = loops.dropFirst().reduce(first.metrics) { $0.adding($1.metrics) }
        self =
            Self.requests(sum, routes) + Self.savings(sum) + Self.connections(sum, loops)
            + Self.waiting(sum) + Self.loops(sum, loops)
    }

    private static func requests(_ sum: LoopMetrics, _ routes: [String]) -> [MetricFamily] {
        var counts = MetricFamily(
            "freshet_http_requests",
            .counter,
            "Requests that were answered, by route, method and status; 4xx has those that were "
                + "given up"
        )
        var durations = MetricFamily(
            "freshet_http_request_duration_seconds",
            .histogram,
            "From when a request was seen to when its response was sent; without long polls, "
                + "streams"
        )
        for (index, route) in routes.enumerated() {
            for method in RequestHead.Method.allCases {
                let row = sum.row(route: index, method)
                let name = "\(method)".uppercased()
                for (status, count) in row.classes.enumerated() where count > 0 {
                    let status = "\(status + 1)xx"
                    counts.add(count, ["route": route, "method": name, "status": status])
                }
                guard row.durations.buckets.contains(where: { $0 > 0 }) else { continue }
                durations.add(row.durations, ["route": route, "method": name])
            }
        }
        return [counts, durations]
    }

    private static func savings(_ sum: LoopMetrics) -> [MetricFamily] {
        [
            MetricFamily(
                "freshet_http_not_modified",
                .counter,
                "Responses that said that nothing changed (304)",
                at: sum.notModifiedCount
            ),
            MetricFamily(
                "freshet_http_response_content_bytes",
                .counter,
                "Content that was sent in responses, without heads",
                at: sum.contentByteCount
            ),
            MetricFamily(
                "freshet_deltas",
                .counter,
                "Responses with changes in the place of a whole feed, without streams",
                at: sum.deltaCount
            ),
            MetricFamily(
                "freshet_delta_saved_bytes",
                .counter,
                "Bytes that these left out: those of all items, less what was sent",
                at: sum.savedByteCount
            ),
        ]
    }

    private static func connections(_ sum: LoopMetrics, _ loops: [LoopReport]) -> [MetricFamily] {
        var refused = MetricFamily(
            "freshet_connections_refused",
            .counter,
            "Connections that were refused, for the limit or for want of descriptors"
        )
        refused.add(sum.refusedConnectionCount, ["reason": "limit"])
        refused.add(sum.shortageCount, ["reason": "descriptors"])
        return [
            MetricFamily(
                "freshet_open_connections",
                .gauge,
                "Connections that are open",
                at: loops.reduce(0) { $0 + $1.openConnectionCount }
            ),
            MetricFamily(
                "freshet_connections",
                .counter,
                "Connections that were taken",
                at: sum.connectionCount
            ),
            refused,
            MetricFamily(
                "freshet_connection_memory_bytes",
                .gauge,
                "Memory for bodies that arrive and responses that wait to be taken",
                at: loops.reduce(0) { $0 + $1.heldByteCount }
            ),
        ]
    }

    private static func waiting(_ sum: LoopMetrics) -> [MetricFamily] {
        [
            MetricFamily(
                "freshet_long_polls",
                .gauge,
                "Readers that wait for a change",
                at: sum.longPollCount
            ),
            MetricFamily("freshet_streams", .gauge, "Streams that are open", at: sum.streamCount),
        ]
    }

    private static func loops(_ sum: LoopMetrics, _ loops: [LoopReport]) -> [MetricFamily] {
        var lag = MetricFamily(
            "freshet_loop_lag_seconds",
            .gauge,
            "How long a message to the event loop waited just now"
        )
        var alive = MetricFamily(
            "freshet_loop_responsive",
            .gauge,
            "Whether the event loop took that message within a second"
        )
        for (index, loop) in loops.enumerated() {
            lag.add(loop.lag / .seconds(1), ["loop": "\(index)"])
            alive.add(loop.isAlive ? 1 : 0, ["loop": "\(index)"])
        }
        var rounds = MetricFamily(
            "freshet_loop_round_duration_seconds",
            .histogram,
            "How long event loops took for what was ready at a time, while all else waited"
        )
        rounds.add(sum.roundDurations)
        return [lag, alive, rounds]
    }
}

extension MetricFamily {
    /// Adds the samples of a histogram of durations, in seconds.
    fileprivate mutating func add(
        _ histogram: LoopMetrics.Histogram,
        _ labels: KeyValuePairs<String, String> = [:]
    ) {
        add(
            buckets: histogram.buckets,
            bounds: LoopMetrics.Histogram.bounds.map { Double($0) / 1_000_000_000 },
            sum: Double(histogram.nanoseconds) / 1_000_000_000,
            labels
        )
    }
}
