/// A metric with its samples, for a monitoring system such as Prometheus.
package struct MetricFamily: Sendable {
    /// The kind of a metric.
    package enum Kind: String, Sendable {
        /// A number that only grows while the process runs.
        case counter
        case gauge
        case histogram
    }

    /// The name without the suffix `_total` of counters.
    package let name: String
    /// The description of the metric, in a sentence without a full stop.
    package let help: String
    package let kind: Kind
    /// The values: the suffix of the family's name (`_bucket`, `_sum`, `_count`, or nothing), the
    /// labels as they are written (`a="b"`), and the value.
    private(set) var samples: [(suffix: String, labels: [String], value: Double)] = []

    /// Makes a family without samples.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Makes a family of one sample.
    package init(_ name: String, _ kind: Kind, _ help: String, at value: Double) {
        self.init(name, kind, help)
        add(value)
    }

    /// Makes a family of one sample that is a whole number.
    package init(_ name: String, _ kind: Kind, _ help: String, at value: Int) {
        self.init(name, kind, help, at: Double(value))
    }
}

extension MetricFamily {
    /// Adds a sample of a counter or a gauge.
    package mutating func add(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
        let labels = labels.map { MetricsText.label($0.key, $0.value) }
        samples.append(("", labels, value))
    }

    /// Adds a sample with a whole number.
    package mutating func add(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
        add(Double(value), labels)
    }

    /// Adds the samples of a histogram.
    ///
    /// - Parameters:
    ///   - buckets: The number of values in each bucket, not counting those of lower buckets; the
    ///     last bucket has no bound.
    ///   - bounds: The upper bounds of all buckets but the last.
    ///   - labels: The labels that distinguish this histogram from the family's others.
    package mutating func add(
        buckets: [Int],
        bounds: [Double],
        sum: Double,
        _ labels: KeyValuePairs<String, String> = [:]
    ) {
        precondition(buckets.count == bounds.count + 1, "all buckets but the last have a bound")
        let labels = labels.map { MetricsText.label($0.key, $0.value) }
        var count = 0
        for (bucket, bound) in zip(buckets, bounds + [.infinity]) {
            count += bucket
            let le = MetricsText.label("le", MetricsText.number(bound, isFloat: true))
            samples.append(("_bucket", labels + [le], Double(count)))
        }
        samples.append(("_sum", labels, sum))
        samples.append(("_count", labels, Double(count)))
    }
}
