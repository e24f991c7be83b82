import ArgumentParser
import FeedAPI

/// `freshet key`: makes a key.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make a key, and print it with its entry for the configuration.",
        discussion: "The configuration has only the key's SHA-256 digest: keep the key itself."
    )

    @Option(help: "What its owner is called in the configuration.")
    var name: String?

    @Option(help: ArgumentHelp("A feed that it may read; can be repeated.", valueName: "feed"))
    var read: [String] = []

    @Option(
        help: ArgumentHelp(
            "A feed that it may read and change; can be repeated (default: all).",
            valueName: "feed"
        )
    )
    var write: [String] = []

    mutating func run() throws {
        let key = KeyText.random()
        let write = read.isEmpty && write.isEmpty ? ["*"] : write
        let entry = KeyCommand.entry(key, name: name, read: read, write: write)
        try KeyCommand.check(entry)
        print("key    \(key)")
        print("sha256 \(KeyCommand.digest(key))")
        print()
        print(entry)
    }

    /// What a server knows a key by, in 64 lower-case hexadecimal digits.
    static func digest(_ key: String) -> String {
        let digits = AccessKey(key).digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return digits.joined()
    }

    /// A key's entry in the configuration.
    static func entry(_ key: String, name: String?, read: [String], write: [String]) -> String {
        var lines = ["keys:", "  - digest: \(digest(key))"]
        if let name { lines.append("    name: \(quoted(name))") }
        if !read.isEmpty { lines.append("    read: \(list(read))") }
        if !write.isEmpty { lines.append("    write: \(list(write))") }
        return lines.joined(separator: "\n")
    }

    /// Refuses what the server would refuse.
    private static func check(_ entry: String) throws(CommandFailure) {
        do {
            _ = try ConfigurationFile(parsing: Array(entry.utf8))
        } catch {
            let lines = error.list.map { "\($0.path): \($0.reason)" }
            throw .usage(lines.joined(separator: "\n"))
        }
    }

    private static func list(_ feeds: [String]) -> String {
        "[" + feeds.map(quoted).joined(separator: ", ") + "]"
    }

    /// A text in YAML's double quotes.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
