import ArgumentParser
import FeedAPI
import FeedModel
import Foundation

/// The options for the feeds that a key or a token may be used for.
struct RightsOptions: ParsableArguments {
    /// The rights that are given, each with its feeds.
    typealias List = [(right: String, feeds: [String])]

    @Option(
        help: ArgumentHelp(
            "A feed that it may read, or several with commas; can be repeated.",
            valueName: "feed"
        )
    )
    var read: [String] = []

    @Option(
        help: ArgumentHelp(
            "A feed that it may read and change, or several with commas; can be repeated.",
            valueName: "feed"
        )
    )
    var write: [String] = []

    @Option(
        help: ArgumentHelp(
            "A feed that it may read, and follow with very many others, or several with commas.",
            valueName: "feed"
        )
    )
    var follow: [String] = []

    var list: List {
        [("read", read), ("write", write), ("follow", follow)].filter { !$0.1.isEmpty }
            .map { ($0, RightsOptions.feeds($1)) }
    }

    /// Returns the feeds of an option that can be repeated, or has several feeds between commas.
    static func feeds(_ texts: [String]) -> [String] {
        texts.flatMap { text in
            text.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}

/// `freshet key`: makes a key.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make a key, and print it with its entry for the configuration.",
        discussion: """
            The configuration has only the key's SHA-256 digest: keep the key itself. Without \
            --read, --write, --follow and --admin, the key may read and change all feeds.
            """
    )

    @Option(help: "What its owner is called in the configuration.")
    var name: String?

    @OptionGroup var rights: RightsOptions

    @Flag(help: "It may see metrics and the admin page.")
    var admin = false

    mutating func run() throws {
        let key = KeyText.random()
        let rights = rights.list.isEmpty && !admin ? [("write", ["*"])] : rights.list
        let entry = KeyCommand.entry(key, name: name, rights, isAdmin: admin)
        try KeyCommand.check(entry)
        try StandardOutput.print("key    \(key)")
        try StandardOutput.print("sha256 \(KeyCommand.digest(key))")
        try StandardOutput.print("")
        try StandardOutput.print(entry)
    }

    /// Returns the digest by which a server knows a key, in 64 lower-case hexadecimal digits.
    static func digest(_ key: String) -> String {
        SHA256Digest(of: key.utf8.span).bytes.hexadecimal
    }

    /// Returns a key's entry in the configuration.
    static func entry(
        _ key: String,
        name: String?,
        _ rights: RightsOptions.List,
        isAdmin: Bool
    ) -> String {
        var lines = ["keys:", "  - digest: \(digest(key))"]
        if let name { lines.append("    name: \(YAMLText.quoted(name))") }
        for (right, feeds) in rights { lines.append("    \(right): \(YAMLText.list(feeds))") }
        if isAdmin { lines.append("    admin: true") }
        return lines.joined(separator: "\n")
    }

    /// Refuses an entry that the server would refuse.
    private static func check(_ entry: String) throws(CommandFailure) {
        do {
            _ = try ConfigurationFile(parsing: Array(entry.utf8))
        } catch {
            // A path such as keys[0].read[1] is of the entry, which the user has not written.
            let lines = error.list.filter { !$0.isWarning }.map { issue in
                let member = issue.path.split(separator: ".").last?.prefix { $0 != "[" } ?? "key"
                return "--\(member): \(issue.reason)"
            }
            throw .usage(lines.joined(separator: "\n"))
        }
    }
}
