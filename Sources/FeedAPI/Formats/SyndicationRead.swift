import FeedDiff
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// A read of a feed in a format of feed readers.
struct SyndicationRead: Sendable {
    let version: Version
    var page = SyndicationPage()
    let options: SyndicatedFeed.Options
    /// The directory of the sources that the feed may be made of.
    let sources: (any SourceDirectory)?
    let format: SyndicationFormat
    let coding: CodingChoice
    let requester: Requester
    /// Whether a date will name the version, but cannot yet.
    let isDateToCome: Bool

    func tag(_ check: String) -> EntityTag { EntityTag("\(version.token)-\(check)".utf8) }

    /// The options with what the items of a document say of their origins.
    func options(for items: [FeedItem]) -> SyndicatedFeed.Options {
        var options = options
        guard !options.derived.isEmpty, let sources else { return options }
        let own = options
        var (seen, keeping): (Set<String>, [String]) = ([], [])
        for item in items {
            let origin = own.origin(of: item.id.string).feed
            guard seen.insert(origin).inserted, let feed = FeedName(origin) else { continue }
            if sources.isSourced(feed) { keeping.append(origin) }
        }
        options.keepingOrigins = keeping.sorted()
        return options
    }

    var size: WorkSize {
        let sections = version.snapshot.sections
        let share =
            Double(min(page.entryCount, sections.itemCount)) / Double(sections.itemCount + 1)
        let byteCount = Int(Double(sections.itemByteCount) * share)
        return WorkSize(byteCount: byteCount * (coding.coding == .identity ? 4 : 20))
    }

    /// The coding of the page, where it can be told before that is made: what has so many entries
    /// becomes smaller.
    var foreseenCoding: ContentCoding? {
        if coding.coding == .identity || coding.isForced { return coding.coding }
        return page.itemCount(in: version.snapshot) >= 64 ? coding.coding : nil
    }

    /// How much work it is to find out what is new.
    var deltaSize: WorkSize {
        WorkSize(byteCount: version.snapshot.itemByteCount + version.count * 200)
    }

    /// Names the whole page among the responses about its version.
    var key: ResponseKey {
        ResponseKey(kind: .syndication(named, page), coding: coding)
    }

    /// Names what is new since the version of a tag, as it was sent.
    func key(ofNewsSince tag: String) -> ResponseKey {
        ResponseKey(kind: .news(named, since: tag), coding: coding)
    }

    private var named: ResponseKey.Syndication {
        .init(format: format, keepsIDs: options.keepsIDs, isDateToCome: isDateToCome)
    }

    /// Returns the items that are new or changed since a version of the same feed (RFC 3229
    /// §10.5.3), and the items that have come up from later pages, which the reader need not have
    /// read.
    ///
    /// - Returns: `nil` when it is more than a page has.
    func news(since old: Version) -> [FeedItem]? {
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
        return page.isTurned(version.snapshot) ? items.reversed() : items
    }

    /// The links of its page, as references to the feed's own address.
    var links: SyndicatedFeed.Links {
        var links = SyndicatedFeed.Links()
        links.own = page.reference
        links.next = page.next(in: version.snapshot)?.reference
        links.isFirst = page.isFirst
        return links
    }

    /// A check of what the bytes of the page depend on beside the version: settings, and when it
    /// and its items were seen.
    func check(of version: Version) -> String {
        let items = page.items(of: version.snapshot)
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in "\(options(for: items))".utf8 { add(byte) }
        // When the feed changed: a mirror has a time of its own.
        hash = (hash ^ UInt64(bitPattern: Int64(version.second))) &* 0x100_0000_01b3
        for item in items {
            let seen = UInt64(item.seen.first) << 32 | UInt64(item.seen.changed)
            hash = (hash ^ seen) &* 0x100_0000_01b3
            hash ^= hash >> 29
        }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
