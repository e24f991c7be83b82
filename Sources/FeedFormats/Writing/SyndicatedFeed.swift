package import FeedModel

/// A feed as the formats of feed readers have it (docs/ITEMS.md).
package struct SyndicatedFeed {
    /// The options that the bytes of a document depend on beside the feed.
    package struct Options: Sendable, Equatable {
        /// The feed's name.
        package var name: String
        /// The address where readers reach the server, without a slash at the end; `nil`: not
        /// known.
        package var publicURL: String?
        /// The start of the ids of entries; `nil`: the public address.
        package var entryBase: String?
        /// The start of the ids: ``entryBase``, or else the public address; `nil`: neither is
        /// known.
        var base: String? { entryBase ?? publicURL }
        /// Whether items keep the ids that they had in their source.
        package var keepsIDs = false
        /// The names of all derived feeds, sorted, if this feed is one; empty otherwise.
        ///
        /// Ids in a derived feed begin with the name of the feed that the item comes from.
        package var derived: [String] = []
        /// The names of the feeds whose items keep their ids, sorted, among those that this feed is
        /// derived from.
        package var keepingOrigins: [String] = []

        package init(name: String) { self.name = name }

        /// Returns the feed that an item comes from, and its id there.
        package func origin(of id: String) -> (feed: String, id: String) {
            var origin = (feed: name, id: id)
            // The id is read by scalars: with a combining mark behind it, a slash is part of
            // another character.
            while isDerived(origin.feed),
                let slash = origin.id.unicodeScalars.firstIndex(of: "/")
            {
                let rest = origin.id.unicodeScalars[slash...].dropFirst()
                origin = (String(origin.id.unicodeScalars[..<slash]), String(rest))
            }
            return origin
        }

        /// Returns whether a feed is derived, by a binary search: it is asked for each entry.
        private func isDerived(_ feed: String) -> Bool {
            let index = derived.partitionPoint { $0 < feed }
            return index < derived.count && derived[index] == feed
        }
    }

    /// The links from page to page (RFC 5005 §3), appended to the feed's own address.
    package struct Links: Sendable, Equatable {
        /// The end of this page's address; empty for the first page.
        package var own = ""
        /// The end of the next page's address; `nil`: this is the last page.
        package var next: String?
        package var isFirst = true

        package init() {}
    }

    let options: Options
    let links: Links
    /// The members that documents are written from.
    let members: JSONValue
    let entries: [SyndicatedEntry]
    /// The time of the feed's last change, in seconds since 1970.
    let changed: Int

    /// The names of the members that documents are written from; a feed may have many others.
    private static let names: Set<ExactString> = [
        "title", "description", "language", "url", "home_page_url", "icon", "favicon", "authors",
        "author",
    ]

    /// Reads the feed and its entries from a snapshot.
    ///
    /// - Parameters:
    ///   - changed: The time at which the feed's version was published, in seconds since 1970.
    ///   - items: The items to write, in their order; `nil`: all.
    package init(
        _ snapshot: Snapshot,
        _ options: Options,
        changed: Int,
        items: [FeedItem]? = nil,
        links: Links = Links()
    ) {
        self.options = options
        self.links = links
        self.changed = changed
        let known = snapshot.members.list.filter { SyndicatedFeed.names.contains($0.name) }
        members = .object(known.map { JSONValue.Entry(name: $0.name, value: JSONValue($0.value)) })
        let items = items ?? snapshot.sections.flatMap { Array($0.items) }
        entries = items.map { SyndicatedEntry($0, options) }
    }

    /// Returns the feed as a document.
    package func document(_ format: SyndicationFormat) -> [UInt8] {
        switch format {
        case .jsonFeed: jsonFeed
        case .atom: atom
        case .rss: rss
        }
    }

    /// The feed's title, or its name; never empty, since the formats ask for a title.
    var title: String { members["title"]?.scalar?.singleLine.nonempty ?? options.name }

    var description: String? { members["description"]?.scalar }

    /// The feed's language, if the member is a tag of BCP 47.
    var language: String? { members["language"]?.scalar?.languageTag }

    /// The site that the feed belongs to.
    var url: String? { address("url") ?? address("home_page_url") }

    /// The feed's picture.
    var icon: String? { address("icon") ?? address("favicon") }

    /// Returns the base of relative addresses in an entry's HTML (XML Base); `nil`: it has no HTML,
    /// or the base is not known.
    func base(of entry: SyndicatedEntry) -> String? {
        if entry.contentHTML == nil { return nil }
        return entry.url ?? url ?? options.publicURL.map { $0 + "/" }
    }

    private func address(_ member: ExactString) -> String? {
        members[member]?.scalar.flatMap(WebAddress.written)
    }

    /// Returns the address of this document, or of another page of the feed, in a format.
    func selfAddress(_ format: SyndicationFormat, page: String? = nil) -> String? {
        options.publicURL.map {
            "\($0)/feeds/\(options.name).\(format.rawValue)\(page ?? links.own)"
        }
    }

    /// Returns the address of this document, if the public address is known, and those of other
    /// pages (RFC 5005 §3), by their relations to it; without the public address they are relative.
    func addresses(_ format: SyndicationFormat) -> [(relation: String, address: String)] {
        func address(_ page: String) -> String {
            selfAddress(format, page: page) ?? "\(options.name).\(format.rawValue)\(page)"
        }
        let first = links.isFirst ? nil : ("first", address(""))
        let own = selfAddress(format).map { ("self", $0) }
        return [own, first, links.next.map { ("next", address($0)) }].compactMap(\.self)
    }

    /// The feed's id, which stays when the format changes.
    var id: String { SyndicatedFeed.id(of: options.name, options) }

    /// Returns the id of a feed of this server.
    static func id(of name: String, _ options: Options) -> String {
        if let base = options.base { return "\(base)/feeds/\(name)" }
        return "tag:freshet,2026:\(name)"
    }

    var author: SourceAuthor? { SyndicatedEntry.authors(members).first }
}

/// The formats that feed readers take.
package enum SyndicationFormat: String, Sendable, CaseIterable {
    case jsonFeed = "json"
    case atom
    case rss

    package var mediaType: String {
        switch self {
        case .jsonFeed: "application/feed+json"
        case .atom: "application/atom+xml; charset=utf-8"
        case .rss: "application/rss+xml; charset=utf-8"
        }
    }
}
