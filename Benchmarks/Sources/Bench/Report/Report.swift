import Foundation

/// The results, as Markdown.
struct Report {
    private let introduction: String
    private var overview = Table(columns: ["row", "to reach", "found"])
    private var sections: [String] = []
    private(set) var hasFailures = false

    init(rounds: Int, seconds: Double) {
        let date = Date.now.formatted(.iso8601.year().month().day())
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let length = seconds.formatted(.number.precision(.fractionLength(0...1)))
        introduction = """
            # Results

            Written by `make bench` on \(date), on a machine with \(cores) cores, in \(rounds) \
            rounds of \(length) s of load. Those that are compared take turns, and the load shares \
            the cores with them. Each figure is the median, with the lowest and the highest of \
            the rounds; ratios are taken round by round, to the first of a table. How it is \
            measured stands in [PERFORMANCE.md](../docs/PERFORMANCE.md); what an hour of everything \
            at once comes to in [SOAK.md](SOAK.md).
            """
    }

    mutating func append(_ row: Row, _ section: Section) {
        let link = row.title.lowercased().replacingOccurrences(of: " ", with: "-")
            .filter { $0.isLetter || $0.isNumber || $0 == "-" }
        overview.rows.append(["[\(row.title)](#\(link))", row.goal, section.headline])
        sections.append("## \(row.title)\n\nTo reach: \(row.goal).\n\n\(section.markdown)")
        hasFailures = hasFailures || section.hasFailed
    }

    var markdown: String {
        ([introduction, overview.markdown] + sections).joined(separator: "\n\n") + "\n"
    }
}
