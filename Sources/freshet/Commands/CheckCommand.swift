import ArgumentParser
import FeedAPI
import FeedDiff
import FeedJournal
import FeedModel
import FeedStore
import HTTPServer
import Platform

/// `freshet check`: reads a feed's document, a configuration or a data folder as the server would.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a feed's document or a configuration, and say what is wrong where.",
        discussion: """
            What begins with a brace or a bracket is a feed's document, in JSON, unless it is \
            named .yaml or .yml; anything else a configuration, in YAML. Of a data folder that no \
            server has open, everything is read. The status is 2 when the server would refuse it.
            """
    )

    @Argument(help: "The document or configuration; - is standard input.", completion: .file())
    var file: String

    mutating func run() throws {
        if FileContents.isFolder(file) {
            return try StandardOutput.print(
                "\(file): \(try CheckCommand.contents(of: file).summary)"
            )
        }
        let input = InputFile(path: file)
        let verdict = try CheckCommand.verdict(Array(input.read()), name: input.name)
        for line in verdict.warnings { StandardError.report(line) }
        try StandardOutput.print("\(input.name): \(verdict.summary)")
    }

    private static func contents(of path: String) throws(CommandFailure) -> DataFolder.Contents {
        do throws(JournalError) {
            return try DataFolder(path).examine()
        } catch {
            throw .usage(error.description)
        }
    }

    /// The verdict on a valid file.
    struct Verdict: Equatable {
        /// The content in a few words, such as the number of items.
        let summary: String
        /// Warnings about content that may not be intended, one line each.
        var warnings: [String] = []
    }

    /// Checks a feed's document or a configuration.
    ///
    /// - Throws: ``CommandFailure`` with the reasons and their positions if the file is not valid.
    static func verdict(_ bytes: [UInt8], name: String) throws(CommandFailure) -> Verdict {
        if bytes.starts(with: "SQLite format 3\0".utf8) {
            throw .usage(
                "\(name) is a database, perhaps a backup: freshet restore \(name) DIR reads and "
                    + "checks it"
            )
        }
        let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = text.first else { throw .usage("\(name): there is nothing in it") }
        let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        let isDocument = !isYAML && "{[".utf8.contains(first)
        return try isDocument ? feedVerdict(bytes, name) : configurationVerdict(bytes, name)
    }

    private static func feedVerdict(
        _ bytes: [UInt8],
        _ name: String
    ) throws(CommandFailure) -> Verdict {
        do {
            let snapshot = try Snapshot(publishing: bytes)
            let counts = [
                snapshot.sections.count.counted("section"), snapshot.count.counted("item"),
                bytes.count.counted("byte"),
            ]
            let memory = ByteCountText.rounded(memoryByteCount(snapshot))
            return Verdict(
                summary: counts.joined(separator: ", ") + "; takes \(memory) of memory",
                warnings: sizeWarnings(bytes: bytes.count, items: snapshot.count)
                    .map { "\(name): \($0)" }
            )
        } catch {
            let line = error.located(in: bytes).place.map { "\($0.line):" } ?? ""
            let place = error.path.isEmpty ? "" : "\(error.path): "
            throw .usage("\(name):\(line) \(place)\(error.reason)")
        }
    }

    /// Returns warnings about sizes of a feed beyond the default limits of a server.
    static func sizeWarnings(bytes: Int, items: Int) -> [String] {
        let usual = APIConfiguration()
        var warnings: [String] = []
        if bytes > usual.bodyByteLimit {
            let limit = ByteCountText.text(usual.bodyByteLimit)
            warnings.append(
                "more than \(limit): a server takes it where limits.body-size allows that"
            )
        }
        if items > usual.itemLimit {
            let limit = usual.itemLimit
            warnings.append("more than \(limit) items: only where limits.feed-items allows that")
        }
        return warnings
    }

    /// Returns the bytes of memory that a server counts for a feed with a single version.
    private static func memoryByteCount(_ snapshot: Snapshot) -> Int {
        let store = FeedStore()
        // Without a journal, the version is there at once.
        if let name = FeedName("checked") {
            store.publish(name, { _ in snapshot }, decided: { _ in })
        }
        return store.cost.current
    }

    private static func configurationVerdict(
        _ bytes: [UInt8],
        _ name: String
    ) throws(CommandFailure) -> Verdict {
        let file = try ConfigurationFile.needed(bytes, name: name)
        let settings = try ServeSettings([:], Environment(), file)
        let problems = settings.problems + presentProblems(settings)
        guard problems.isEmpty else { throw .usage(problems.joined(separator: "\n")) }
        return Verdict(
            summary: "a configuration with \(contents(file.settings))",
            warnings: file.warnings.map { $0.line(file: name) }
                + settings.warnings(settings.tls.flatMap { try? TLSContext($0) })
                .map { "warning: \($0)" }
        )
    }

    /// Returns the numbers of keys and feeds in a configuration, such as "0 keys, 1 source and 2
    /// derived feeds".
    private static func contents(_ settings: ServeSettings) -> String {
        let others = [
            (settings.api.signingKeys.count, "signing key"),
            (settings.contents.sources.count, "source"),
            (settings.contents.derivations.count, "derived feed"),
        ]
        let words =
            [settings.api.keys.count.counted("key")]
            + others.filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
        guard words.count > 1, let last = words.last else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Returns the reasons why no server could start on this machine now, one line each.
    ///
    /// Reasons are an address that cannot be listened on, a data folder that cannot be made, and a
    /// limit of open files that is too low. Whether ports are free is not checked.
    private static func presentProblems(_ settings: ServeSettings) -> [String] {
        let data = settings.dataFolder.flatMap(FeedStorage.presentProblem)
        let admin = settings.admin.map { [("admin", $0.host)] } ?? []
        let loops = DescriptorRoom.problem(loops: settings.loops)
        return (data.map { [settings.problem("data", $0)] } ?? [])
            + (loops.map { [settings.problem("loops", $0)] } ?? [])
            + ([("host", settings.host)] + admin).compactMap { name, host in
                guard let error = HTTPServer.bindError(host: host, port: 0) else { return nil }
                let reason = SystemError.words(error.code)
                return settings.problem(name, "\(host) cannot be listened on here: \(reason)")
            }
    }
}
