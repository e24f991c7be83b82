import ArgumentParser
import FeedModel

/// `freshet check`: reads a feed's document as the server would.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a feed's document, and say what is wrong where.",
        discussion: "The status is 2 when the server would refuse the document."
    )

    @Argument(help: "The document; - is standard input.")
    var file: String

    mutating func run() throws {
        let input = InputFile(path: file)
        print("\(input.name): \(try CheckCommand.verdict(Array(input.read()), name: input.name))")
    }

    /// What there is to say of a document that is right.
    ///
    /// - Throws: ``CommandFailure`` with the place and the reason for one that is wrong.
    static func verdict(_ bytes: [UInt8], name: String) throws(CommandFailure) -> String {
        do {
            let snapshot = try FeedDocument(parsing: bytes).snapshot
            return [
                count(snapshot.sections.count, "section"), count(snapshot.count, "item"),
                count(bytes.count, "byte"),
            ].joined(separator: ", ")
        } catch {
            let place = error.path.isEmpty ? "" : "\(error.path): "
            throw .usage("\(name): \(place)\(error.reason)")
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
