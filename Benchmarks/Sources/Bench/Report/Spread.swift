import Foundation

/// The values of a figure from several rounds.
struct Spread {
    private let sorted: [Double]

    init(_ values: [Double]) {
        sorted = values.filter(\.isFinite).sorted()
    }

    /// Returns the ratios of two figures that took turns, round by round.
    static func ratio(_ values: [Double], to others: [Double]) -> Spread {
        Spread(zip(values, others).map { $0 / $1 })
    }

    var median: Double {
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1
            ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Returns the median and the range, such as "1.08 (1.03–1.15)".
    func text(decimals: Int = 2) -> String {
        guard let low = sorted.first, let high = sorted.last else { return "–" }
        return "\(median.text(decimals)) (\(low.text(decimals))–\(high.text(decimals)))"
    }

    /// Returns the range, such as "1.03–1.15".
    func range(decimals: Int = 2) -> String {
        guard let low = sorted.first, let high = sorted.last else { return "–" }
        return "\(low.text(decimals))–\(high.text(decimals))"
    }
}

extension Double {
    /// Returns the number with so many digits after the point.
    func text(_ decimals: Int = 2) -> String {
        isFinite ? String(format: "%.\(decimals)f", self) : "–"
    }
}

extension Int {
    /// The number with commas, such as 10,000.
    var text: String { formatted(.number.grouping(.automatic).locale(Locale(identifier: "en"))) }
}
