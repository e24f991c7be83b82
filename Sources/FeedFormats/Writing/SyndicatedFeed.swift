package import FeedModel

/// A feed as the formats of feed readers have it (docs/ITEMS.md).
package struct SyndicatedFeed {
    /// What the bytes depend on beside the feed.
    package struct Options: Sendable, Equatable {
        /// The feed's name.
        package var name: String
        /// Where readers reach the server, without a slash at the end; `nil`: not known.
        package var publicURL: String?
        /// What ids of entries begin with; `nil`: the public address.
        package var entryBase: String?
        /// Whether items keep the ids that they had where they came from.
        package var keepsIDs = false
        /// The names of all feeds that are made of others, in order, if this is one: its items' ids
        /// begin with the names of their feeds.
        package var derived: [String] = []
        /// The names of those that it is made of whose items keep their ids, in order.
        package var keepingOrigins: [String] = []

        package init(name: String) { self.name = name }

        /// The feed that an item is of, and its id there.
        package func origin(of id: String) -> (feed: String, id: String) {
            var origin = (feed: name, id: id)
            // By scalars: with a mark behind it, a slash is part of another character.
            while derived.contains(origin.feed),
                let slash = origin.id.unicodeScalars.firstIndex(of: "/")
            {
                let rest = origin.id.unicodeScalars[slash...].dropFirst()
                origin = (String(origin.id.unicodeScalars[..<slash]), String(rest))
            }
            return origin
        }
    }

    /// What leads from page to page (RFC 5005 §3), behind the feed's own address.
    package struct Links: Sendable, Equatable {
        /// What names this page; empty for the first one.
        package var own = ""
        /// What names the next one; `nil`: this is the last.
        package var next: String?
        package var isFirst = true

        package init() {}
    }

    let options: Options
    let links: Links
    let members: [String: JSONValue]
    let entries: [SyndicatedEntry]
    /// When anything of it last changed, seconds since 1970.
    let changed: Int

    /// - Parameters:
    ///   - snapshot: The feed.
    ///   - changed: When its version was published, seconds since 1970.
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
        members = Dictionary(
            snapshot.members.list.map { ($0.name.string, JSONValue($0.value)) }
        ) { first, _ in first }
        let items = items ?? snapshot.sections.flatMap { Array($0.items) }
        entries = items.map { SyndicatedEntry($0, options) }
    }

    /// The document.
    package func document(_ format: SyndicationFormat) -> [UInt8] {
        switch format {
        case .jsonFeed: JSONFeedWriter(self).document
        case .atom: AtomWriter(self).document
        case .rss: RSSWriter(self).document
        }
    }

    /// Never empty: it stands in for what the formats ask for and the feed lacks.
    var title: String { members["title"]?.scalar?.singleLine.nonempty ?? options.name }

    /// A tag of BCP 47, if that is what the member has.
    var language: String? { members["language"]?.scalar?.languageTag }

    /// The site that it belongs to.
    var url: String? { address("url") ?? address("home_page_url") }

    /// A picture of it.
    var icon: String? { address("icon") ?? address("favicon") }

    /// What relative addresses in an entry's HTML are relative to (XML Base); `nil`: it has none, or
    /// that is not known.
    func base(of entry: SyndicatedEntry) -> String? {
        let server = options.publicURL.map { $0 + "/" }
        guard let base = entry.url ?? url ?? server, let html = entry.contentHTML,
            HTMLAddresses.hasRelative(html)
        else { return nil }
        return base
    }

    private func address(_ member: String) -> String? {
        members[member]?.scalar.flatMap(WebAddress.written)
    }

    /// The address of this document, or of another page of the feed, in a format.
    func selfAddress(_ format: SyndicationFormat, page: String? = nil) -> String? {
        options.publicURL.map {
            "\($0)/feeds/\(options.name).\(format.rawValue)\(page ?? links.own)"
        }
    }

    /// The addresses of other pages by their relation to this one (RFC 5005 §3); relative to the
    /// document where the public address is not known.
    func pageAddresses(_ format: SyndicationFormat) -> [(relation: String, address: String)] {
        func address(_ page: String) -> String {
            selfAddress(format, page: page) ?? "\(options.name).\(format.rawValue)\(page)"
        }
        let first = links.isFirst ? [] : [("first", address(""))]
        return first + (links.next.map { [("next", address($0))] } ?? [])
    }

    /// What the feed is known by: it stays when the format changes.
    var id: String { SyndicatedFeed.id(of: options.name, options) }

    /// What a feed of this server is known by.
    static func id(of name: String, _ options: Options) -> String {
        if let base = options.entryBase ?? options.publicURL { return "\(base)/feeds/\(name)" }
        return "tag:freshet,2026:\(name)"
    }

    var author: SourceAuthor? { SyndicatedEntry.authors(members).first }
}
