import ArgumentParser
import FeedFormats
import FeedModel
import Foundation
import HTTPClient
import Platform
import TerminalReader

/// `freshet import`: makes configuration lines of a list of feeds.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Print the configuration that fetches the feeds of an OPML file.",
        discussion: """
            Put what is printed into the file that serve --config names. The status is 1 when no \
            feed of the list can be fetched. Addresses of the server of --base may be fetched also \
            where it is inside this machine or a private network.
            """
    )

    @Argument(help: "The OPML file; - is standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("Keep items that the sources show no more: 200 or 30d.", valueName: "n")
    )
    var keep: String?

    @Option(
        help: ArgumentHelp(
            "The server of a list whose addresses are relative, such as one of Freshet's own.",
            valueName: "url"
        )
    )
    var base: String?

    @Flag(help: "Make a derived feed of the sources of each folder, too.")
    var folders = false

    mutating func run() throws {
        if let keep, ConfigurationReader.keeping(keep) == nil {
            throw CommandFailure.usage("--keep takes a number of items (200) or a time (30d, 12h)")
        }
        let base = try base.map { try ServiceOptions.address($0).absoluteString }
        let input = InputFile(path: file)
        let bytes = Array(try input.read())
        do {
            let list = try OPMLDocument(parsing: bytes)
            let others = list.outlines.filter { ImportCommand.address($0.url, base: base) == nil }
            if let words = ImportCommand.words(about: others) {
                StandardError.report("\(input.name): \(words)")
            }
            for line in ImportCommand.dropped(list, base: base) {
                StandardError.report("\(input.name): \(ShownText.of(line))")
            }
            if let words = ImportCommand.words(aboutInside: list, base: base) {
                StandardError.report("\(input.name): \(words)")
            }
            guard others.count < list.outlines.count else {
                throw CommandFailure.other("\(input.name): no feed that can be fetched")
            }
            // The lines quote the list's texts, with escapes for the characters that a terminal
            // would obey.
            let lines = ImportCommand.lines(list, keep: keep, base: base, folders: folders)
            try StandardOutput.write(lines.utf8)
        } catch FeedFormatError.unknown(let what) {
            throw CommandFailure.usage("\(input.name): \(what)")
        } catch let error as FeedFormatError {
            throw CommandFailure.usage("\(input.name): \(error)")
        }
    }

    /// Returns the words about addresses of other servers inside this machine or a private network;
    /// `nil` where there are none.
    private static func words(aboutInside list: OPMLDocument, base: String?) -> String? {
        let inside = list.outlines.compactMap { address($0.url, base: base) }
            .filter { address in
                isPrivate(address) && !(base.map { URLHost.isSameServer(address, $0) } ?? false)
            }
        guard let first = inside.first else { return nil }
        let example = ShownText.of(WebAddress.shown(first))
        return "\(inside.count) inside this machine or a private network, such as \(example): not"
            + " fetched without allow-private: true"
    }

    /// Returns the words about addresses that cannot be fetched; `nil` where there are none.
    static func words(about others: [OPMLDocument.Outline]) -> String? {
        guard !others.isEmpty else { return nil }
        let relative = others.count { WebAddress.scheme(of: $0.url) == nil }
        return "\(others.count) without an address of http or https"
            + (relative > 0
                ? ", of which \(relative) are relative: --base URL says to what server" : "")
    }

    private static let namedLimit = 100

    /// Returns a line for each feed of a list that is left out.
    static func dropped(_ list: OPMLDocument, base: String?) -> [String] {
        var (lines, addresses): ([String], Set<String>) = ([], [])
        for outline in list.outlines {
            let title = outline.title.map { "“\($0)” " } ?? ""
            let name = title + WebAddress.shown(outline.url)
            if let address = address(outline.url, base: base) {
                let isNew = addresses.insert(address).inserted
                if !isNew { lines.append("left out, for it is there already: \(name)") }
            } else {
                lines.append("left out: \(name)")
            }
        }
        guard lines.count > namedLimit else { return lines }
        return lines.prefix(namedLimit) + ["and \(lines.count - namedLimit) more left out"]
    }

    /// Returns the configuration's lines, in YAML; an address that is in the list twice becomes one
    /// feed.
    ///
    /// - Parameters:
    ///   - keep: The value of `keep` for all sources.
    ///   - base: The address that relative addresses are relative to.
    ///   - folders: Whether a folder becomes a feed of its sources.
    static func lines(
        _ list: OPMLDocument,
        keep: String? = nil,
        base: String? = nil,
        folders: Bool = false
    ) -> String {
        var names = Names()
        var known: [String: String] = [:]
        var members: [(folder: String, feeds: [String])] = []
        var indices: [String: Int] = [:]
        func add(_ feed: String, to outline: OPMLDocument.Outline) {
            for folder in outline.folders where folders {
                let index = indices[folder] ?? members.count
                indices[folder] = index
                if index == members.count { members.append((folder, [])) }
                if members[index].feeds.last != feed { members[index].feeds.append(feed) }
            }
        }
        var text = "feeds:\n"
        for var outline in list.outlines {
            guard let address = address(outline.url, base: base) else { continue }
            if let feed = known[address] {
                add(feed, to: outline)
                continue
            }
            outline.url = address
            let name = names.take(name(outline))
            known[address] = name
            add(name, to: outline)
            text += fetched(name, outline, keep: keep, base: base)
        }
        for (folder, feeds) in members {
            let slug = slug(folder)
            text += derived(names.take(slug.isEmpty ? "folder" : slug), folder, from: feeds)
        }
        return known.isEmpty ? "feeds: {}\n" : text
    }

    /// Returns the lines of a feed that is fetched from its source.
    private static func fetched(
        _ name: String,
        _ outline: OPMLDocument.Outline,
        keep: String?,
        base: String?
    ) -> String {
        var text = "  \(key(name)):\n    source:\n      url: \(YAMLText.quoted(outline.url))\n"
        if let title = outline.title { text += "      title: \(YAMLText.quoted(title))\n" }
        if let keep { text += "      keep: \(YAMLText.quoted(keep))\n" }
        // The operator named the server of `base` at the prompt; the list may come from a
        // stranger.
        if let base, isPrivate(outline.url), URLHost.isSameServer(outline.url, base) {
            text += "      allow-private: true\n"
        }
        return text
    }

    /// Returns the lines of the feed of a folder, which is derived from the folder's feeds.
    private static func derived(_ name: String, _ folder: String, from feeds: [String]) -> String {
        "  \(key(name)):\n    derive:\n"
            + "      from: \(YAMLText.list(feeds))\n"
            + "      sort: published\n      descending: true\n"
            + "      title: \(YAMLText.quoted(folder))\n"
    }

    /// The words that YAML 1.1 reads as other values than texts.
    private static let reserved: Set<String> = [
        "true", "false", "yes", "no", "on", "off", "y", "n", "null",
    ]

    /// Returns a feed's name as a key in YAML, in quotes where it could be a number or a truth
    /// value.
    private static func key(_ name: String) -> String {
        let isNumber = name.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
        return isNumber || reserved.contains(name) ? YAMLText.quoted(name) : name
    }

    /// Returns whether an address always leads to this machine or a private network, without a
    /// look-up.
    private static func isPrivate(_ address: String) -> Bool {
        IPAddress(named: URLHost.host(of: address))?.isPublic == false
    }

    /// Returns the address of `http` or `https` that an address of the list means, perhaps relative
    /// to a base; `nil`: none.
    static func address(_ text: String, base: String? = nil) -> String? {
        var address = WebAddress.withWebScheme(text)
        if address.lowercased().hasPrefix("www.") {
            address = "https://" + address
        } else if let base {
            address = WebAddress.resolve(address, base: base)
        }
        return WebAddress.isWeb(address) ? address : nil
    }

    /// Returns a name made of the title, or else of the host.
    private static func name(_ outline: OPMLDocument.Outline) -> String {
        let host = outline.url.split(separator: "/").dropFirst().first.map(String.init) ?? "feed"
        let names = [slug(outline.title ?? ""), slug(host)]
        return names.first { !$0.isEmpty } ?? "feed"
    }

    /// The names of the feeds, which must differ.
    private struct Names {
        private var taken: Set<String> = []
        /// The number of names that were made of each beginning.
        private var counts: [String: Int] = [:]

        /// Returns a name that no other feed has, with a number where it needs one.
        mutating func take(_ base: String) -> String {
            while true {
                let number = counts[base, default: 0] + 1
                counts[base] = number
                let name = number == 1 ? base : "\(base)-\(number)"
                if FeedName(name) != nil, taken.insert(name).inserted { return name }
            }
        }
    }

    private static func slug(_ text: String) -> String {
        var slug = ""
        let plain = text.lowercased().folding(options: .diacriticInsensitive, locale: nil)
        for scalar in plain.unicodeScalars {
            if "a"..."z" ~= scalar || "0"..."9" ~= scalar {
                slug.unicodeScalars.append(scalar)
            } else if !slug.isEmpty, slug.last != "-" {
                slug += "-"
            }
        }
        return String(slug.prefix(60)).trimmingSuffix("-")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self
        while text.last == suffix { text.removeLast() }
        return text
    }
}
