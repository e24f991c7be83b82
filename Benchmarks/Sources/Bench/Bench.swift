import ArgumentParser
import Dispatch
import Foundation

/// Measures the server beside others, and writes the results.
@main struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure freshet against others, in one run on one machine.",
        discussion: """
            Those that are compared take turns, so that a machine whose speed drifts treats them \
            alike. What needs a program that is not there is left out, and the results say so.

            Rows: \(Row.names).
            """
    )

    @Argument(help: "The rows to measure; none: all.")
    var rows: [String] = []

    @Option(help: "How often each has its turn; the median counts.")
    var rounds = 5

    @Option(help: "Seconds of load in a turn.")
    var seconds = 2.0

    @Option(help: "Minutes after which no further row is begun.")
    var minutes = 22.0

    @Flag(help: "Try it out: two short rounds, and smaller feeds. The figures mean little.")
    var short = false

    @Option(help: "The server to measure.", completion: .file())
    var freshet = "../.build/release/freshet"

    @Option(help: "Where the results of a whole run go; those of other runs are only shown.")
    var output = "RESULTS.md"

    mutating func validate() throws {
        guard rounds > 0, seconds > 0 else {
            throw ValidationError("there must be a round, and it must take time")
        }
        if let unknown = rows.first(where: { name in !Row.all.contains { $0.name == name } }) {
            throw ValidationError("there is no row \"\(unknown)\"; there are \(Row.names)")
        }
        if short { (rounds, seconds) = (2, min(seconds, 0.3)) }
    }

    mutating func run() throws {
        guard FileManager.default.isExecutableFile(atPath: freshet) else {
            throw ValidationError("\(freshet) is not there: make build")
        }
        OpenFileLimit.raise()
        // OpenSSL writes to a connection that the server has closed, and does nothing against the
        // signal.
        signal(SIGPIPE, SIG_IGN)
        let lab = try Lab(freshet: freshet, rounds: rounds, seconds: seconds, isShort: short)
        defer { lab.close() }
        let signals = endOnSignals(lab)
        defer { for signal in signals { signal.cancel() } }
        let report = measure(in: lab)
        if rows.isEmpty && !short {
            try report.markdown.write(toFile: output, atomically: true, encoding: .utf8)
            print("\nThe results are in \(output).")
        }
        if report.hasFailures { throw ExitCode.failure }
    }

    private func measure(in lab: Lab) -> Report {
        let start = ContinuousClock.now
        var report = Report(rounds: rounds, seconds: seconds)
        for row in Row.all where rows.isEmpty || rows.contains(row.name) {
            print("\n## \(row.title)\n")
            fflush(nil)
            let section: Section
            if ContinuousClock.now - start > .seconds(minutes * 60) {
                section = .missing("the time was up")
            } else {
                section = row.section(in: lab)
            }
            print(section.markdown)
            fflush(nil)
            report.append(row, section)
        }
        return report
    }

    /// Ends all started processes when this one is asked to end.
    private func endOnSignals(_ lab: Lab) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let (processes, folder) = (lab.processes, lab.folder)
            source.setEventHandler {
                processes.endAll()
                try? FileManager.default.removeItem(at: folder)
                _exit(1)
            }
            source.resume()
            return source
        }
    }
}
