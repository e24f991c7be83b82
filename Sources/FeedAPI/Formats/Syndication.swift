import FeedDiff
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// A page of a feed in a format of feed readers, with everything that its bytes depend on besides
/// the version.
struct Syndication: Hashable, Sendable {
    let format: SyndicationFormat
    let page: SyndicationPage
    let stamp: Stamp
    /// Whether the reader also takes new entries alone.
    let takesNews: Bool

    /// The parts of a page's validators that do not follow from the version's token.
    struct Stamp: Hashable, Sendable {
        /// A hash of the release, the settings and the times that the page's bytes depend on, part
        /// of its entity tag.
        let check: UInt32
        /// Whether the page has a Last-Modified: a past date that names this version alone.
        let isDated: Bool

        /// Returns the entity tag of a version's pages.
        func tag(of version: Version) -> EntityTag {
            EntityTag("\(version.token)-\(check.hexadecimal)".utf8)
        }
    }

    /// The links of the page, as references to the feed's own address.
    func links(in snapshot: Snapshot) -> SyndicatedFeed.Links {
        var links = SyndicatedFeed.Links()
        links.own = page.reference
        links.next = page.next(in: snapshot)?.reference
        links.isFirst = page.isFirst
        return links
    }

    /// Returns the items that are new or changed since a version of the same feed, and the items
    /// that have come up from later pages, which the reader may not have read.
    ///
    /// A reader gets them as a difference between two versions (RFC 3229).
    ///
    /// - Returns: The items in the order of the page; `nil` if they are more than a page has.
    func news(in version: Version, since old: Version) -> [FeedItem]? {
        let whole = FeedView()
        let changes = Changes(from: whole(old.snapshot), to: whole(version.snapshot))
        var ids = Set(changes.insertedItems.map(\.item.id))
        ids.formUnion(changes.updatedItems.map(\.id))
        let sections = version.snapshot.sections
        if sections.itemCount > page.entryCount || old.snapshot.count > page.entryCount {
            let before = Set(page.items(of: old.snapshot).map(\.id))
            ids.formUnion(
                page.items(of: version.snapshot).map(\.id).filter { !before.contains($0) }
            )
        }
        guard ids.count <= page.entryCount else { return nil }
        let items = sections.flatMap { Array($0.items) }.filter { ids.contains($0.id) }
        return page.isReversed(version.snapshot) ? items.reversed() : items
    }
}

/// A page that a feed reader already has, found by an entity tag in its If-None-Match.
struct SentPage: Sendable {
    /// The version that the page was made of.
    let version: Version
    /// The tag as it was sent, with its quotes.
    let tag: String
    /// The hexadecimal digits of the ``Syndication/Stamp/check`` in the tag; `nil`: the tag has
    /// none.
    let check: String?

    /// The most tags of one request that are looked at.
    private static let tagLimit = 8

    /// The suffixes of the tags of coded representations.
    private static let codingNames: Set<Substring> = ["gzip", "deflate", "br", "zstd"]

    /// Returns the first page that If-None-Match names and whose version the store remembers.
    static func first(
        in head: borrowing RequestHead,
        of current: Version,
        in store: FeedStore
    ) -> SentPage? {
        guard let tags = head.value(.ifNoneMatch) else { return nil }
        var (found, count): (SentPage?, Int) = (nil, 0)
        let value = Array(tags.utf8)
        _ = value.span.scanEntityTags(lenient: true) { range, isWeak in
            count += 1
            // Longer tags are not from this server.
            guard found == nil, count <= SentPage.tagLimit, range.count <= 200 else { return }
            let text = String(decoding: value[range], as: UTF8.self)
            let pieces = text.split { $0 == "-" || $0 == ";" }
            guard let first = pieces.first, let token = Token(first),
                token.hasSameEpoch(as: current.token),
                let version = store.version(token, of: current.feed)
            else { return }
            let check = pieces.dropFirst().first { !SentPage.codingNames.contains($0) }
            let isQuoted = range.lowerBound > 0 && value[range.lowerBound - 1] == UInt8(ascii: "\"")
            let tag = (isWeak ? "W/" : "") + (isQuoted ? "\"\(text)\"" : text)
            found = SentPage(version: version, tag: tag, check: check.map(String.init))
        }
        return found
    }

    /// Returns whether A-IM (RFC 3229 §10.5.3) lists the instance manipulation `feed`, with which
    /// feed readers ask for new items only; with `q=0` it is refused.
    static func areNewsTaken(by head: borrowing RequestHead) -> Bool {
        (head.value(.aIM) ?? "").utf8.split(separator: UInt8(ascii: ",")).contains { element in
            // A longer element is none of the known manipulations.
            guard element.count <= 100 else { return false }
            let parts = Substring(element).lowercased().split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }
            }
            return parts.first == "feed"
                && !parts.contains {
                    $0.hasPrefix("q=0") && !$0.contains { "123456789".contains($0) }
                }
        }
    }
}

/// Makes the validators and the documents of pages for feed readers.
extension FeedAPI {
    /// Returns the page of a version, with the stamp that the current settings give it.
    func syndication(
        _ format: SyndicationFormat,
        _ page: SyndicationPage,
        of version: Version,
        _ responses: VersionResponses,
        takesNews: Bool
    ) -> Syndication {
        let options = options(of: version.feed)
        let check = responses.syndicationCheck(page, options) { self.check(page, version, options) }
        let stamp = Syndication.Stamp(check: check, isDated: lastModified(of: version) != nil)
        return Syndication(format: format, page: page, stamp: stamp, takesNews: takesNews)
    }

    /// Returns the validators that a request for a page is compared with.
    func validators(_ stamp: Syndication.Stamp, of version: Version) -> Validators {
        var dates = Validators.Dates.none
        if version.hasDate {
            let latest = max(version.second, configuredSecond + 1)
            dates = .exact(lastModified(of: version), latest: latest)
        }
        return Validators(stamp.tag(of: version), dates: dates)
    }

    /// Returns the Last-Modified of a version's pages, in seconds since 1970; `nil` if no date
    /// names them unambiguously.
    ///
    /// Pages also depend on settings: pages that were sent under earlier settings have an earlier
    /// date.
    func lastModified(of version: Version) -> Int? {
        let now = store.wallSeconds
        guard let modified = version.lastModified(at: now) else { return nil }
        if modified > configuredSecond { return modified }
        // Once this second is over, no other version can be published with the same date.
        return configuredSecond + 1 <= now - 2 ? configuredSecond + 1 : nil
    }

    /// Returns the items that are new since a page that the reader has; `nil` if that page was sent
    /// under other settings than the current ones, or if more items are new than a page has.
    func news(_ syndication: Syndication, _ version: Version, since sent: SentPage) -> [FeedItem]? {
        if let sentCheck = sent.check {
            let check = check(syndication.page, sent.version, options(of: version.feed))
            guard check.hexadecimal == sentCheck else { return nil }
        }
        return syndication.news(in: version, since: sent.version)
    }

    /// Makes the document of a page.
    ///
    /// - Parameter news: The entries of a document that has only new ones; `nil`: the whole page.
    func document(
        _ syndication: Syndication,
        _ version: Version,
        news: [FeedItem]?
    ) -> [UInt8] {
        let snapshot = version.snapshot
        let items = news ?? syndication.page.items(of: snapshot)
        let feed = SyndicatedFeed(
            snapshot,
            options(options(of: version.feed), for: items),
            changed: Int(version.published),
            items: items,
            links: news == nil ? syndication.links(in: snapshot) : SyndicatedFeed.Links()
        )
        return feed.document(syndication.format)
    }

    /// Returns the options that a feed's pages depend on, without those that depend on a page's
    /// items.
    private func options(of feed: FeedName) -> SyndicatedFeed.Options {
        var options = SyndicatedFeed.Options(name: feed.rawValue)
        options.publicURL = configuration.publicURL
        options.entryBase = configuration.entryBase
        options.keepsIDs = configuration.sources?.isSourced(feed) ?? false
        if access.derived.has(feed) { options.derived = access.derived.names }
        return options
    }

    /// Returns the options of a derived feed's page, with the feeds that the page's items come from
    /// and whose items keep the ids of an external source.
    private func options(
        _ own: SyndicatedFeed.Options,
        for items: [FeedItem]
    ) -> SyndicatedFeed.Options {
        guard !own.derived.isEmpty, let sources = configuration.sources else { return own }
        var (seen, keeping): (Set<String>, [String]) = ([], [])
        for item in items {
            let origin = own.origin(of: item.id.string).feed
            guard seen.insert(origin).inserted, let feed = FeedName(origin) else { continue }
            if sources.isSourced(feed) { keeping.append(origin) }
        }
        var options = own
        options.keepingOrigins = keeping.sorted()
        return options
    }

    /// Returns a hash (FNV-1a) of the release and the settings that the bytes of a page depend on,
    /// and of the times at which the version and the page's items were seen.
    private func check(
        _ page: SyndicationPage,
        _ version: Version,
        _ options: SyndicatedFeed.Options
    ) -> UInt32 {
        let items = page.items(of: version.snapshot)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in configuration.release.utf8 { add(byte) }
        for byte in "\(self.options(options, for: items))".utf8 { add(byte) }
        // The version's time is part of the check, because a mirror has another time for the same
        // version.
        hash = (hash ^ UInt64(bitPattern: Int64(version.second))) &* 0x100_0000_01b3
        for item in items {
            let seen = UInt64(item.seen.first) << 32 | UInt64(item.seen.changed)
            hash = (hash ^ seen) &* 0x100_0000_01b3
            hash ^= hash >> 29
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
