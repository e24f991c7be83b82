import FeedModel

/// A source's document in the protocol's own form.
///
/// The document comes from another publisher: parts that could run in a page are removed, and so is
/// `maxAge`, because the source must not decide how long caches keep the feed.
struct NativeDocument {
    /// Whether any list in the document has an item.
    private(set) var hasItems = false
    /// The document without the removed parts.
    private(set) var document: [UInt8]
    private var isChanged = false
    /// The number of bytes that the document's HTML may still grow by; past that, relative
    /// addresses stay as they are.
    private var growth: Int
    private let reader: FeedReader

    /// Whether relative addresses were left as they are, because the HTML grew too much.
    var isCutOff: Bool { growth < 0 }

    /// Removes the unwanted parts of a document.
    ///
    /// - Parameter bytes: The document as it came, which is kept if nothing is to be removed.
    init(_ value: JSONValue, _ bytes: [UInt8], _ reader: FeedReader) {
        document = bytes
        growth = GatheredEntries.growthLimit(ofDocument: bytes.count)
        self.reader = reader
        let cleaned = feed(value)
        if isChanged { document = cleaned.bytes }
    }

    private mutating func feed(_ value: JSONValue) -> JSONValue {
        part(value) { form, name, value, base in
            switch name {
            case "maxAge": nil
            case "items": form.elements(value) { $0.item($1) }
            case "sections": form.elements(value) { $0.section($1) }
            default: form.member(name, value, base: base)
            }
        }
    }

    private mutating func section(_ value: JSONValue) -> JSONValue {
        part(value) { form, name, value, base in
            name == "items"
                ? form.elements(value) { $0.item($1) } : form.member(name, value, base: base)
        }
    }

    private mutating func item(_ value: JSONValue) -> JSONValue {
        hasItems = true
        return part(value) { $0.member($1, $2, base: $3) }
    }

    /// Cleans a feed, a section or an item; its own page is the base of its HTML.
    private mutating func part(
        _ value: JSONValue,
        _ change: (inout NativeDocument, String, JSONValue, _ base: String) -> JSONValue?
    ) -> JSONValue {
        let base = value.text("url") ?? reader.address
        return members(of: value) { change(&$0, $1, $2, base) }
    }

    /// Cleans a member by its name alone: feeds, sections and items have the same members.
    private mutating func member(_ name: String, _ value: JSONValue, base: String) -> JSONValue? {
        switch name {
        case "content_html":
            guard case .string(let html) = value else { return value }
            return sanitized(html, base: base)
        case "author", "authors", "attachments", "hubs":
            // The member is an object, or a list of objects.
            if case .array = value { return elements(value) { $0.addresses(of: $1) } }
            return addresses(of: value)
        default: return NativeDocument.addressNames.contains(name) ? address(value) : value
        }
    }

    private mutating func addresses(of value: JSONValue) -> JSONValue {
        members(of: value) { form, name, value in
            NativeDocument.addressNames.contains(name) ? form.address(value) : value
        }
    }

    /// The members that are addresses in the protocol's form (docs/ITEMS.md), in JSON Feed, or in
    /// other formats.
    static let addressNames: Set<String> = [
        "url", "external_url", "home_page_url", "feed_url", "next_url", "image", "banner_image",
        "icon", "favicon", "avatar", "thumbnail", "link", "href", "src",
    ]

    /// Returns an address that may stay.
    ///
    /// - Returns: `nil` for an address that runs code, or that holds a document of its own.
    private mutating func address(_ value: JSONValue) -> JSONValue? {
        guard case .string(let text) = value else { return value }
        // Browsers find schemes behind control characters and white space.
        let visible = text.string.keeping { $0.value > 0x20 && $0.value != 0x7F }
        let scheme = WebAddress.scheme(of: visible)
        return ["javascript", "vbscript", "data"].contains(scheme) ? nil : value
    }

    private mutating func sanitized(_ html: ExactString, base: String) -> JSONValue {
        let old = html.string
        var new = reader.html(old, base: isCutOff ? "" : base) ?? ""
        growth -= max(0, new.utf8.count - old.utf8.count)
        if isCutOff { new = reader.html(old, base: "") ?? "" }
        if old.utf8.elementsEqual(new.utf8) { return .string(html) }
        isChanged = true
        return .string(ExactString(new))
    }

    private mutating func members(
        of value: JSONValue,
        _ change: (inout NativeDocument, String, JSONValue) -> JSONValue?
    ) -> JSONValue {
        guard case .object(let entries) = value else { return value }
        var kept: [JSONValue.Entry] = []
        for entry in entries {
            guard let value = change(&self, entry.name.string, entry.value) else {
                isChanged = true
                continue
            }
            kept.append(JSONValue.Entry(name: entry.name, value: value))
        }
        return .object(kept)
    }

    private mutating func elements(
        _ value: JSONValue,
        _ change: (inout NativeDocument, JSONValue) -> JSONValue
    ) -> JSONValue {
        guard case .array(let elements) = value else { return value }
        var changed: [JSONValue] = []
        changed.reserveCapacity(elements.count)
        for element in elements { changed.append(change(&self, element)) }
        return .array(changed)
    }
}
