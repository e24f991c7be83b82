import ArgumentParser
import FeedFormats
import FeedModel

/// `freshet import`: makes configuration lines of a list of feeds.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Print the configuration that fetches the feeds of an OPML file.",
        discussion: "Put what is printed into the file that serve --config names."
    )

    @Argument(help: "The OPML file; - is standard input.")
    var file: String

    @Option(
        help: ArgumentHelp("Keep items that the sources show no more: 200 or 30d.", valueName: "n")
    )
    var keep: String?

    mutating func run() throws {
        let input = InputFile(path: file)
        let bytes = Array(try input.read())
        do {
            let list = try OPMLDocument(parsing: bytes)
            let lines = ImportCommand.lines(list, keep: keep)
            do throws(ConfigurationIssues) {
                _ = try ConfigurationFile(parsing: Array(lines.utf8))
            } catch {
                // Only what was given at the prompt can be wrong.
                throw CommandFailure.usage("--keep: \(error.list.first?.reason ?? "is not known")")
            }
            let others = list.outlines.count { ImportCommand.address($0.url) == nil }
            if others > 0 {
                StandardError.print("freshet: \(others) without an address of http or https")
            }
            print(lines, terminator: "")
        } catch let error as FeedFormatError {
            throw CommandFailure.usage("\(input.name): \(error)")
        }
    }

    /// The lines, in YAML; an address that is there twice is one feed.
    static func lines(_ list: OPMLDocument, keep: String? = nil) -> String {
        var names: Set<String> = []
        var addresses: Set<String> = []
        var text = "feeds:\n"
        for var outline in list.outlines {
            guard let address = address(outline.url), addresses.insert(address).inserted else {
                continue
            }
            outline.url = address
            let name = name(outline, &names)
            text += "  \(name):\n    source:\n      url: \(quoted(outline.url))\n"
            if let title = outline.title { text += "      title: \(quoted(title))\n" }
            if let keep { text += "      keep: \(quoted(keep))\n" }
        }
        return names.isEmpty ? "feeds: {}\n" : text
    }

    /// The address of the web that a list's address means; `nil`: it is none.
    static func address(_ text: String) -> String? {
        var address = WebAddress.resolve(text, base: "")
        let lowered = address.lowercased()
        if lowered.hasPrefix("feed://") {
            address = "http" + address.dropFirst(4)
        } else if lowered.hasPrefix("feed:") {
            address = String(address.dropFirst(5))
        } else if lowered.hasPrefix("www.") {
            address = "https://" + address
        }
        return WebAddress.isWeb(address) ? address : nil
    }

    /// A name made of the title, or else of the host, that no other feed has.
    private static func name(_ outline: OPMLDocument.Outline, _ names: inout Set<String>) -> String
    {
        let host = outline.url.split(separator: "/").dropFirst().first.map(String.init) ?? "feed"
        var base = slug(outline.title ?? "")
        if base.isEmpty { base = slug(host) }
        if base.isEmpty { base = "feed" }
        var name = base
        var number = 2
        while FeedName(name) == nil || !names.insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }

    private static func slug(_ text: String) -> String {
        var slug = ""
        for scalar in text.lowercased().unicodeScalars {
            if "a"..."z" ~= scalar || "0"..."9" ~= scalar {
                slug.unicodeScalars.append(scalar)
            } else if !slug.isEmpty, slug.last != "-" {
                slug += "-"
            }
        }
        return String(slug.prefix(60)).trimmingSuffix("-")
    }

    /// A string in YAML's double quotes, which are JSON's.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(jsonString: text)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self
        while text.last == suffix { text.removeLast() }
        return text
    }
}
