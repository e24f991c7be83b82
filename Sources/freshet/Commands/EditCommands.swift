import ArgumentParser
import FeedClient
import FeedModel
import Foundation

/// The options for an item's new position.
struct PlaceOptions: ParsableArguments {
    /// The values of the option `--at`.
    enum End: String, ExpressibleByArgument, CaseIterable {
        case start, end
    }

    @Option(
        help: ArgumentHelp("The section (default: the first, or the item's own).", valueName: "id")
    )
    var section: String?

    @Option(help: "At this end of the section (default: start).")
    var at: End?

    @Option(help: ArgumentHelp("Right before this item.", valueName: "id"))
    var before: String?

    @Option(help: ArgumentHelp("Right after this item.", valueName: "id"))
    var after: String?

    func validate() throws {
        guard [at?.rawValue, before, after].compactMap({ $0 }).count <= 1 else {
            throw ValidationError("Only one of --at, --before and --after says where it goes.")
        }
    }

    /// The new position; `nil`: no option gives one.
    var place: ItemPlace? {
        switch (at, before, after) {
        case (.start?, _, _): .start
        case (.end?, _, _): .end
        case (_, let id?, _): .before(id)
        case (_, _, let id?): .after(id)
        default: nil
        }
    }
}

/// The options of all commands that change a feed.
struct ChangeOptions: ParsableArguments {
    @OptionGroup var service: ServiceOptions

    @Option(
        help: ArgumentHelp("Only when this is still the current version.", valueName: "token"),
        transform: Token.argument
    )
    var ifMatch: Token?

    @Flag(help: "Only say what would change.")
    var dryRun = false
}

/// The options of all commands that a feed's guard may refuse.
struct EditOptions: ParsableArguments {
    /// The values of the option `--removals`.
    enum Removals: String, ExpressibleByArgument, CaseIterable {
        case any
    }

    @OptionGroup var change: ChangeOptions

    @Option(help: "Remove any number of items, though the feed's guard lets fewer go.")
    var removals: Removals?

    var service: ServiceOptions { change.service }

    var publishing: PublishOptions {
        var options = PublishOptions(ifMatch: change.ifMatch, isDryRun: change.dryRun)
        options.mayRemoveAny = removals == .any
        return options
    }

    /// Makes edits that are the command's own, and prints the number of changes.
    ///
    /// An error names no position in the edits, which the user has not seen.
    func edit(_ feed: FeedName, _ make: (inout FeedEdits) throws -> Void) async throws {
        let result = try await service.asking(about: feed) { service in
            do {
                return try await service.edit(feed, options: publishing, make)
            } catch let error as FeedServiceError {
                throw error.withoutPlaces
            }
        }
        try StandardOutput.print(PublishFormatter(result))
    }
}

/// `freshet delete`: removes a feed.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a feed."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @OptionGroup var options: EditOptions

    mutating func run() async throws {
        try await options.service.asking(about: feed) { server in
            guard try await server.remove(feed, options: options.publishing) else {
                throw CommandFailure.other("\(server.baseURL.shown) has no feed \(feed)")
            }
        }
        try StandardOutput.print(
            options.change.dryRun ? "\(feed) (dry run): would be deleted" : "\(feed): deleted"
        )
    }
}

/// `freshet insert`: puts an item into a feed.
struct InsertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert",
        abstract: "Insert an item, or an array of items, into a feed."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The item's JSON, with its id; - is standard input.", completion: .file())
    var file = "-"

    @OptionGroup var place: PlaceOptions
    @OptionGroup var options: EditOptions

    mutating func run() async throws {
        let item = try InputFile(path: file).read()
        let result = try await options.service.asking(about: feed) {
            try await $0.insert(
                json: item,
                into: feed,
                section: place.section,
                at: place.place,
                options: options.publishing
            )
        }
        try StandardOutput.print(PublishFormatter(result))
    }
}

/// `freshet move`: moves an item.
struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an item of a feed."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The item's id.")
    var item: String

    @OptionGroup var place: PlaceOptions
    @OptionGroup var options: EditOptions

    mutating func run() async throws {
        try await options.edit(feed) {
            try $0.move(item, section: place.section, at: place.place)
        }
    }
}

/// `freshet remove`: removes items.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove items from a feed, all or none."
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The items' ids.")
    var items: [String]

    @OptionGroup var options: EditOptions

    func validate() throws {
        guard Set(items.map { ExactString($0) }).count == items.count else {
            throw ValidationError("Each item can be named once.")
        }
    }

    mutating func run() async throws {
        try await options.edit(feed) { edits in
            for item in items { try edits.remove(item) }
        }
    }
}

/// `freshet edit`: applies a document of edits.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Apply edits to a feed, all or none.",
        discussion: """
            The document is {"edits": [...]} as docs/PUBLISHING.md, "Edits", has it, such as \
            {"edits": [{"set": {"seen": 5}, "item": "grebe"}]}.
            """
    )

    @Argument(help: "The feed's id.", transform: FeedName.argument)
    var feed: FeedName

    @Argument(help: "The edits; - is standard input.", completion: .file())
    var file = "-"

    @OptionGroup var options: EditOptions

    mutating func run() async throws {
        let edits = try InputFile(path: file).read()
        let result = try await options.service.asking(about: feed) {
            try await $0.edit(feed, json: edits, options: options.publishing)
        }
        try StandardOutput.print(PublishFormatter(result))
    }
}
