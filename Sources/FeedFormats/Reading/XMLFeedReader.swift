/// Reads RSS 0.9x to 2.0, RSS 1.0 and 0.90 (RDF), Atom 0.3 and 1.0, and the Channel Definition
/// Format.
struct XMLFeedReader {
    private let reader: FeedReader

    init(_ reader: FeedReader) { self.reader = reader }

    private struct State {
        var feed: SourceFeed?
        var root = ""
        var nodes: [XMLNode] = []
        /// The reader of entries; `nil` before the first entry.
        ///
        /// It is made of the feed's elements before that entry.
        var elements: EntryElements?
        var entries: GatheredEntries
        var isCutOff = false
        /// The elements that had no end where one was due; the value says whether it came later.
        var unclosed: [String: Bool] = [:]
        var dates = SlashedDates()
        /// The name of an element that is named like an entry, but has an unknown namespace.
        var strangeEntry: String?
    }

    func read(_ bytes: [UInt8]) throws(FeedFormatError) -> SourceFeed {
        let root = XMLRoot(bytes)
        var state = State(entries: gathered(bytes.count))
        readAll(root, into: &state)
        guard var feed = self.feed(state, root) else { throw failure(state, bytes) }
        let dates = state.dates
        let elements = EntryElements(reader, feed: feed, isDayFirst: dates.isDayFirst)
        // Entries depend on some properties of the feed. If a property changed behind the first
        // entry, which is rare, the document is read once more.
        if let assumed = state.elements, assumed != elements {
            state = State(elements: elements, entries: gathered(bytes.count))
            readAll(root, into: &state)
        }
        state.entries.move(to: &feed)
        if let note = dates.note { feed.notes.append(note) }
        takeNote(of: state, &feed)
        if state.isCutOff { feed.notes.append("the document is cut off; what is whole was taken") }
        return feed
    }

    /// Adds a note for each element whose missing end made it uncertain what belongs to it.
    private func takeNote(of state: State, _ feed: inout SourceFeed) {
        for (name, isClosed) in state.unclosed.sorted(by: { $0.key < $1.key }) {
            feed.notes.append(
                isClosed
                    ? "items stand in <\(name)>; they were taken"
                    : "<\(name)> is not closed; what stands in it was taken"
            )
        }
        feed.isDoubtful = state.unclosed.values.contains(false)
        guard feed.entries.isEmpty, let name = state.strangeEntry else { return }
        feed.isDoubtful = true
        feed.notes.append("<\(name)> is of an unknown namespace, and was not taken as an item")
    }

    private func gathered(_ byteCount: Int) -> GatheredEntries {
        GatheredEntries(ofDocument: byteCount, limit: reader.entryLimit)
    }

    /// Reads the whole document.
    ///
    /// No entry is kept as a tree, which would take several times as much memory.
    private func readAll(_ root: XMLRoot, into state: inout State) {
        var tree = XMLTreeReader(root.bytes, base: root.base(reader.address))
        state.isCutOff = tree.read { namespace, name in
            treatment(namespace, name, &state)
        } take: { node, treatment, _ in
            if treatment == .entry {
                take(entry: node, &state, root)
            } else if state.nodes.count < 1000 {
                state.nodes.append(node)
            }
        }
        state.unclosed = tree.unclosed
    }

    private func take(entry node: XMLNode, _ state: inout State, _ root: XMLRoot) {
        if state.elements == nil {
            state.elements = feed(state, root).map { EntryElements(reader, feed: $0) }
        }
        guard let elements = state.elements else { return }
        state.dates.take(node)
        state.entries.take { elements.entry(node) }
    }

    /// Returns the feed without its entries; `nil`: there is none so far.
    private func feed(_ state: State, _ root: XMLRoot) -> SourceFeed? {
        guard var feed = state.feed else { return nil }
        feed.take(state.nodes)
        feed.language = feed.language ?? root.language
        feed.url = feed.url ?? root.page(reader.address)
        feed.isCutOff = state.isCutOff
        return feed
    }

    private func treatment(
        _ namespace: XMLNamespace,
        _ name: XMLNameTable.Name,
        _ state: inout State
    ) -> XMLTreeReader.Treatment {
        if state.root.isEmpty {
            state.root = name.local
            // A document may be a single entry (RFC 4287 §2).
            if name.element == .entry, namespace == .atom { state.feed = SourceFeed(.atom) }
        }
        let hasFeed = state.feed != nil
        guard namespace.isFeeds else {
            if hasFeed, name.element == .item || name.element == .entry {
                state.strangeEntry = String(decoding: name.bytes.prefix(100), as: UTF8.self)
            }
            return hasFeed ? .element : .container
        }
        func container(of format: SourceFeed.Format) -> XMLTreeReader.Treatment {
            if !hasFeed { state.feed = SourceFeed(format) }
            return .container
        }
        switch name.element {
        case .rss, .channel: return container(of: .rss)
        case .rdf: return container(of: .rdf)
        case .feed: return container(of: .atom)
        case .item, .entry: return hasFeed ? .entry : .container
        default: return hasFeed ? .element : .container
        }
    }

    private func failure(_ state: State, _ bytes: [UInt8]) -> FeedFormatError {
        if ["html", "head", "body"].contains(state.root) {
            return .page(title: XMLFeedReader.title(bytes))
        }
        return XMLFeedReader.page(bytes)
            ?? .unknown(
                state.root.isEmpty
                    ? "it has no elements" : "its root is <\(state.root.prefix(100))>"
            )
    }

    /// Returns the error that a document is a web page; `nil`: it does not begin like one.
    static func page(_ bytes: [UInt8]) -> FeedFormatError? {
        let start = String(decoding: bytes.prefix(1000), as: UTF8.self).lowercased()
        let isPage = start.contains("<!doctype html") || start.contains("<html")
        return isPage ? .page(title: title(bytes)) : nil
    }

    private static func title(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix(64 << 10), as: UTF8.self)
        guard let open = text.firstRange(of: "<title>"),
            let close = text[open.upperBound...].firstRange(of: "</title>")
        else { return nil }
        return HTMLText.line(String(text[open.upperBound..<close.lowerBound])).nonempty
    }
}

/// The attributes of a document's root tag.
private struct XMLRoot {
    /// The bytes of the document.
    ///
    /// If the root is a feed's but has an unknown namespace, the namespace counts as misspelled and
    /// is replaced by the right one.
    private(set) var bytes: [UInt8]
    /// The language in `xml:lang`.
    private(set) var language: String?
    /// The address of a channel in the Channel Definition Format, and the base of its addresses.
    private var channel: (address: String?, base: String?)

    /// Returns the base of relative addresses.
    func base(_ address: String) -> String {
        channel.base.map { WebAddress.resolve($0, base: address) } ?? address
    }

    /// Returns the page of a channel.
    func page(_ address: String) -> String? {
        channel.address.map { WebAddress.resolve($0, base: base(address)) }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var scanner = XMLScanner(bytes)
        while let token = scanner.next() {
            guard case .start(let range, _) = token else { continue }
            let name = String(decoding: bytes[range], as: UTF8.self)
            let colon = name.firstIndex(of: ":")
            let declaration = colon.map { "xmlns:" + name[..<$0] } ?? "xmlns"
            let local = colon.map { name[name.index(after: $0)...] } ?? name[...]
            // The items of RDF have the default namespace, but its root does not.
            let declarations = local.lowercased() == "rdf" ? [declaration, "xmlns"] : [declaration]
            for attribute in scanner.attributes.reversed() {
                let value = String(decoding: bytes[attribute.value], as: UTF8.self)
                let attributeName = String(decoding: bytes[attribute.name], as: UTF8.self)
                let isChannel = local.lowercased() == "channel"
                switch isChannel ? attributeName.lowercased() : attributeName {
                case "xml:lang": language = value.nonempty
                case "href" where isChannel: channel.address = XMLRoot.text(value)
                case "base" where isChannel: channel.base = XMLRoot.text(value)
                case let name where declarations.contains(name):
                    guard case .other = XMLNamespace(uri: value),
                        let uri = XMLRoot.namespaces[local.lowercased()]
                    else { break }
                    self.bytes.replaceSubrange(attribute.value, with: uri.utf8)
                default: break
                }
            }
            return
        }
    }

    private static func text(_ value: String) -> String? {
        CharacterReferences.text(Array(value.utf8)[...]).nonempty
    }

    private static let namespaces = [
        "rss": "", "feed": "http://www.w3.org/2005/Atom",
        "rdf": "http://purl.org/rss/1.0/",
    ]
}
