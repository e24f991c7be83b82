import FeedModel

/// A source's document in the protocol's own form.
///
/// The document comes from another publisher: parts that could run in a page are removed, and so is
/// `maxAge`, because the source must not decide how long caches keep the feed.
struct NativeDocument {
    /// Whether the feed or any of its sections has an item.
    let hasItems: Bool
    /// The document without the removed parts.
    private(set) var document: [UInt8]
    /// The number of bytes that the document's HTML may still grow by; past that, relative
    /// addresses stay as they are.
    private var growth: Int
    private let reader: FeedReader

    /// Whether relative addresses were left as they are, because the HTML grew too much.
    var isCutOff: Bool { growth < 0 }

    /// Removes the unwanted parts of a document; without any, its bytes are kept as they came.
    init(_ value: JSONValue, _ bytes: [UInt8], _ reader: FeedReader) {
        let lists = [value] + value.elements("sections")
        hasItems = lists.contains { !$0.elements("items").isEmpty }
        document = bytes
        growth = GatheredEntries.growthLimit(ofDocument: bytes.count)
        self.reader = reader
        let cleaned = cleaned(value, isFeed: true)
        if cleaned != value { document = cleaned.bytes }
    }

    /// Cleans a value by the names of its members: they mean the same in feeds, sections, items and
    /// all that is in them.
    private mutating func cleaned(_ value: JSONValue, isFeed: Bool = false) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { cleaned($0) })
        case .object(let entries):
            // The page of a feed, a section or an item is the base of its HTML.
            let base = value.text("url") ?? reader.address
            var kept: [JSONValue.Entry] = []
            for var entry in entries where !NativeDocument.runs(entry) {
                if isFeed, entry.name == "maxAge" { continue }
                if entry.name == "content_html", case .string(let html) = entry.value {
                    entry.value = sanitized(html, base: base)
                } else {
                    entry.value = cleaned(entry.value)
                }
                kept.append(entry)
            }
            return .object(kept)
        case .string, .number, .bool, .null: return value
        }
    }

    /// The members that are addresses in the protocol's form (docs/ITEMS.md), in JSON Feed, or in
    /// other formats.
    private static let addressNames: Set<ExactString> = [
        "url", "external_url", "home_page_url", "feed_url", "next_url", "image", "banner_image",
        "icon", "favicon", "avatar", "thumbnail", "link", "href", "src",
    ]

    /// Returns whether a member is an address that runs code, or that holds a document of its own.
    private static func runs(_ entry: JSONValue.Entry) -> Bool {
        guard addressNames.contains(entry.name), let text = entry.value.string else { return false }
        // Browsers find schemes behind control characters and white space.
        let visible = text.keeping { $0.value > 0x20 && $0.value != 0x7F }
        return ["javascript", "vbscript", "data"].contains(WebAddress.scheme(of: visible))
    }

    private mutating func sanitized(_ html: ExactString, base: String) -> JSONValue {
        let old = html.string
        var new = reader.html(old, base: isCutOff ? "" : base) ?? ""
        growth -= max(0, new.utf8.count - old.utf8.count)
        if isCutOff { new = reader.html(old, base: "") ?? "" }
        return .string(ExactString(new))
    }
}
