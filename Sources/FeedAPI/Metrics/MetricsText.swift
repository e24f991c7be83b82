import HTTPWire

/// Writes metrics in a format that Prometheus reads: the text format 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats), or OpenMetrics 1.0 for clients that
/// prefer it.
package enum MetricsText: Sendable {
    case prometheus
    case openMetrics

    /// Chooses the format that an Accept field prefers: OpenMetrics if its quality is not lower
    /// than the text format's (RFC 9110 §12.5.1).
    package init(accept: String?) {
        let ranges = (accept ?? "").split(separator: ",").map(MetricsText.range)
        let open = ranges.filter(\.isOpenMetrics).map(\.quality).max() ?? 0
        let plain = ranges.filter(\.isPlain).map(\.quality).max() ?? 0
        self = open > 0 && open >= plain ? .openMetrics : .prometheus
    }

    package var mediaType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Returns the text of some metric families, whose names must differ.
    package func text(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families where !family.samples.isEmpty { append(family, to: &text) }
        if case .openMetrics = self { text += "# EOF\n" }
        return Array(text.utf8)
    }

    private func append(_ family: MetricFamily, to text: inout String) {
        // In OpenMetrics the family has the name without the suffix.
        let suffix = family.kind == .counter ? "_total" : ""
        var name = family.name
        if case .prometheus = self { name += suffix }
        text += "# HELP \(name) \(MetricsText.escaped(family.help, quotes: false))\n"
        text += "# TYPE \(name) \(family.kind.rawValue)\n"
        for sample in family.samples {
            text += family.name + suffix + sample.suffix
            if !sample.labels.isEmpty {
                text += "{" + sample.labels.joined(separator: ",") + "}"
            }
            text += " " + MetricsText.number(sample.value) + "\n"
        }
    }

    /// Returns a label with its value, as both formats write it.
    static func label(_ name: String, _ value: String) -> String {
        "\(name)=\"\(escaped(value))\""
    }

    private static func escaped(_ text: String, quotes: Bool = true) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Returns a number, as both formats write it.
    ///
    /// - Parameter isFloat: Whether a whole number is written with a decimal point, as the bounds
    ///   of buckets are.
    static func number(_ value: Double, isFloat: Bool = false) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if !isFloat, value == value.rounded(), abs(value) < 1e15 { return "\(Int(value))" }
        return "\(value)"
    }

    /// Returns whether a media range in Accept includes each format, and its weight in thousandths.
    private static func range(_ text: Substring) -> (
        isOpenMetrics: Bool, isPlain: Bool, quality: Int
    ) {
        let parts = text.split(separator: ";").map { part in
            String(part.filter { $0 != " " && $0 != "\t" }.lowercased())
        }
        let version = parts.first { $0.hasPrefix("version=") }?.dropFirst("version=".count)
        let isKnown = version == nil || version == "1.0.0" || version == "\"1.0.0\""
        let weight = parts.first { $0.hasPrefix("q=") }.map { Array($0.utf8.dropFirst(2)) }
        return (
            parts.first == "application/openmetrics-text" && isKnown,
            parts.first == "text/plain",
            weight.map { $0.span.weight(in: $0.indices) ?? 0 } ?? 1000
        )
    }
}
