import ArgumentParser
import FeedConformance
import FeedFormats
import FeedModel
import Foundation
import TerminalReader

/// `freshet conformance`: checks a server with the cases in docs/conformance.
struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check that a server keeps the protocol, case by case.",
        discussion: """
            Each case is a few requests, the answers that the protocol asks for, and what a \
            client's copy has to be then. A case that fails is shown with the step, what came, and \
            the sentence of the protocol's pages.

            It writes only feeds whose names begin with --prefix, and deletes them, also when it \
            is stopped by SIGINT or SIGTERM. The key has to have the right to publish them, and \
            all readers that to read them. The cases are those of share/freshet/conformance beside \
            the command's own folder, or of the sources that it was built in.

            The status is 0 when all cases pass, 1 when some fail or it was stopped, 2 for wrong \
            usage.
            """
    )

    @Argument(help: "The server's address.")
    var url: String

    @Option(help: "The key to publish with (FRESHET_KEY, the first of several).")
    var key: String?

    @Option(help: ArgumentHelp("With which the names of its feeds begin.", valueName: "text"))
    var prefix = "conformance-"

    @Option(
        help: ArgumentHelp("Only cases whose name has this; can be repeated.", valueName: "text")
    )
    var only: [String] = []

    @Option(help: ArgumentHelp("How many cases run at the same time.", valueName: "number"))
    var jobs = 8

    @Option(
        help: ArgumentHelp("A folder of cases in place of the own ones.", valueName: "dir"),
        completion: .directory
    )
    var cases: String?

    @Flag(help: "Print the results as JSON, at the end.")
    var json = false

    @OptionGroup var trust: TrustOptions

    func validate() throws {
        guard 1...64 ~= jobs else { throw ValidationError("--jobs is a number from 1 to 64.") }
        guard !prefix.isEmpty, FeedName("\(prefix)01234567-a") != nil else {
            throw ValidationError("No feed's name can begin with '\(prefix)'.")
        }
    }

    mutating func run() async throws {
        // The reader of a pipe may leave early; the feeds must be deleted all the same.
        signal(SIGPIPE, SIG_IGN)
        let run = ConformanceRun(cases: try chosen(), server: try server(Environment()), jobs: jobs)
        let (results, wasStopped) = try await ConformanceCommand.carryOut(run, isQuiet: json)
        let failed = results.count { $0.failure != nil }
        let left = results.flatMap(\.leftovers)
        if json {
            try StandardOutput.print(json: report(results).bytes, isPretty: true)
        } else if !wasStopped {
            try StandardOutput.print("\(results.count.counted("case")), \(failed) failed")
        }
        guard !wasStopped else {
            let feeds =
                left.isEmpty ? "its feeds are deleted" : "left: \(left.joined(separator: ", "))"
            throw CommandFailure.other("stopped after \(results.count.counted("case")); \(feeds)")
        }
        guard failed == 0, left.isEmpty else { throw ExitCode(CommandFailure.otherStatus) }
    }

    /// Carries out the cases until they end, or until SIGINT or SIGTERM comes; returns the results
    /// of those that ended, and whether a signal stopped the others.
    private static func carryOut(
        _ run: ConformanceRun,
        isQuiet: Bool
    ) async throws -> (results: [CaseResult], wasStopped: Bool) {
        let (results, wasStopped) = try await StopSignals.cancel {
            do throws(CaseFailure) {
                try await run.prepare()
            } catch {
                throw CommandFailure.other(error.reason)
            }
            return await run.results { result in
                guard !isQuiet else { return }
                for line in result.lines { try? StandardOutput.print(ShownText.of(line)) }
            }
        }
        return (try results.get().filter { !$0.wasStopped }, wasStopped)
    }

    /// Reads the cases, and chooses those that `only` names.
    private func chosen() throws(CommandFailure) -> [ConformanceCase] {
        let folder: URL
        if let cases {
            folder = URL(fileURLWithPath: cases)
        } else {
            folder = try ConformanceCommand.ownCases()
        }
        let all: [ConformanceCase]
        do {
            all = try ConformanceCase.load(folder)
        } catch {
            throw .usage(error.reason)
        }
        guard !only.isEmpty else { return all }
        let chosen = all.filter { test in only.contains { test.name.contains($0) } }
        guard !chosen.isEmpty else {
            throw .usage("no case has this in its name: \(only.joined(separator: ", "))")
        }
        return chosen
    }

    /// Returns the folder of the cases that are installed with this command.
    ///
    /// A command built from sources finds docs/conformance/cases in a folder above its own.
    ///
    /// - Throws: ``CommandFailure`` if no cases are found.
    static func ownCases(
        _ executable: URL? = Bundle.main.executableURL
    ) throws(CommandFailure) -> URL {
        var folder = executable?.resolvingSymlinksInPath().deletingLastPathComponent()
        var candidates = [Freshet.installedFile("conformance/cases", executable)].compactMap(\.self)
        while let parent = folder, parent.pathComponents.count > 1 {
            candidates.append(parent.appendingPathComponent("docs/conformance/cases"))
            folder = parent.deletingLastPathComponent()
        }
        guard
            let found = candidates.first(where: {
                FileManager.default.fileExists(atPath: $0.path)
            })
        else { throw .usage("there are no cases beside this command; --cases says where they are") }
        return found
    }

    private func server(_ environment: Environment) throws(CommandFailure) -> ConformanceServer {
        let url = try ServiceOptions.address(url)
        guard let key = try environment.key(key) else {
            throw .usage("a key is needed to publish with: --key or FRESHET_KEY give one")
        }
        let address = url.withoutLastSlash
        return ConformanceServer(
            address: address,
            shownAddress: WebAddress.shown(address),
            key: key,
            prefix: prefix,
            client: try trust.client(environment, for: url)
        )
    }

    private func report(_ results: [CaseResult]) -> JSONValue {
        let failed = results.count { $0.failure != nil }
        var entries: [JSONValue.Entry] = []
        entries["server"] = .string(ExactString(WebAddress.shown(url)))
        entries["prefix"] = .string(ExactString(prefix))
        entries["passed"] = .number("\(results.count - failed)")
        entries["failed"] = .number("\(failed)")
        entries["cases"] = .array(results.map(\.json))
        return .object(entries)
    }
}
