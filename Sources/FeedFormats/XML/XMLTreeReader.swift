/// Reads a document of elements, and passes on each that stands in a container as a tree of its own.
///
/// End tags that fit nothing are ignored, and those that fit an outer element close the ones in it.
struct XMLTreeReader {
    /// What to do with an element that stands in containers only.
    enum Treatment {
        /// Look at what is in it.
        case container
        /// Pass it on when it ends; another one of the kind ends it too.
        case entry
        /// Pass it on when it ends.
        case element
    }

    private struct Open {
        let name: ArraySlice<UInt8>
        /// Its local name, in lower case.
        let localName: String
        let isContainer: Bool
        let isEntry: Bool
        let base: String
        /// The default namespace and prefixes that it declares, over those of its parents.
        let namespaces: [String: XMLNamespace]
        var node: XMLNode?
    }

    /// The most elements that are open at a time, whatever they are; deeper ones are left out.
    static let openLimit = XMLNode.depthLimit + 8
    /// The most prefixes that hold at a place, and bytes of one.
    static let prefixLimit = 128

    private var scanner: XMLScanner
    private let base: String
    private var open: [Open] = []
    private var names = XMLNameTable()
    /// The most elements that were open at a time.
    private(set) var deepest = 0

    init(_ bytes: [UInt8], base: String) {
        scanner = XMLScanner(bytes)
        self.base = base
    }

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - treat: Says what becomes of an element, by its namespace and name and the name of the
    ///     container that it is in; empty for the root.
    ///   - take: Is called with each whole tree and its container's name.
    /// - Returns: Whether the document was cut off.
    mutating func read(
        treat: (XMLNamespace, String, _ container: String) -> Treatment,
        take: (XMLNode, Treatment, _ container: String) -> Void
    ) -> Bool {
        while let token = scanner.next() {
            switch token {
            case .start(let name, let isEmpty): begin(name, isEmpty, treat, take)
            case .end(let name): end(scanner.bytes[name], take)
            case .text(let range):
                if isInElement { add(CharacterReferences.resolve(scanner.bytes[range])) }
            case .characters(let range): if isInElement { add(scanner.bytes[range]) }
            }
        }
        return scanner.isCutOff || !open.isEmpty
    }

    private var isInElement: Bool { open.last?.node != nil }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        open[open.count - 1].node?.content.append(.text(String(decoding: text, as: UTF8.self)))
    }

    private mutating func begin(
        _ range: Range<Int>,
        _ isEmpty: Bool,
        _ treat: (XMLNamespace, String, String) -> Treatment,
        _ take: (XMLNode, Treatment, String) -> Void
    ) {
        let namespaces = declared()
        let known = names.name(scanner.bytes[range])
        let name = known.local
        let namespace =
            namespaces[known.prefix] ?? XMLNamespace(undeclared: known.prefix)
        let container = open.lastIndex { $0.isContainer }
        let kind = treat(namespace, name, container.map { open[$0].localName } ?? "")
        if kind == .entry, let entry = open.firstIndex(where: \.isEntry), isLost(behind: entry) {
            close(downTo: entry, take)
        }
        if open.count >= XMLTreeReader.openLimit { return }
        let isTop = open.last?.isContainer ?? true
        let base = self.base(namespaces)
        let isContainer = isTop && kind == .container
        let node =
            isContainer
            ? nil
            : XMLNode(
                namespace: namespace,
                name: name,
                attributes: attributes(namespaces),
                base: base
            )
        open.append(
            Open(
                name: scanner.bytes[range],
                localName: name,
                isContainer: isContainer,
                isEntry: isTop && kind == .entry,
                base: base,
                namespaces: namespaces,
                node: node
            )
        )
        deepest = max(deepest, open.count)
        if isEmpty || known.isVoid && !isContainer { close(downTo: open.count - 1, take) }
    }

    /// Elements of an entry that hold no entry, so that an end tag is missing where one begins there.
    private static let leaves: Set<String> = [
        "title", "link", "description", "summary", "content", "encoded", "guid", "id", "pubdate",
        "published", "updated", "date", "author", "creator", "category", "comments", "enclosure",
        "p", "div", "a",
    ]

    /// Whether an entry in an entry is the next one, since the end of the first is missing. An element
    /// of the publisher's own may hold what has the same name.
    private func isLost(behind entry: Int) -> Bool {
        open[(entry + 1)...].allSatisfy { XMLTreeReader.leaves.contains($0.localName) }
    }

    private mutating func end(
        _ name: ArraySlice<UInt8>,
        _ take: (XMLNode, Treatment, String) -> Void
    ) {
        let index =
            open.lastIndex { $0.name == name }
            ?? open.lastIndex { $0.name.elementsEqual(name) { $0.lowercased == $1.lowercased } }
        guard let index else { return }
        close(downTo: index, take)
    }

    private mutating func close(downTo index: Int, _ take: (XMLNode, Treatment, String) -> Void) {
        while open.count > index, let last = open.popLast() {
            guard let node = last.node else { continue }
            if let parent = open.indices.last, open[parent].node != nil {
                open[parent].node?.content.append(.node(node))
            } else {
                take(node, last.isEntry ? .entry : .element, open.last?.localName ?? "")
            }
        }
    }
}

/// Names.
extension XMLTreeReader {
    private func declared() -> [String: XMLNamespace] {
        var namespaces = open.last?.namespaces ?? [:]
        for attribute in scanner.attributes {
            let name = scanner.bytes[attribute.name]
            guard name.starts(with: "xmlns".utf8), name.count <= XMLTreeReader.prefixLimit,
                namespaces.count < XMLTreeReader.prefixLimit
            else { continue }
            let uri = String(decoding: scanner.bytes[attribute.value], as: UTF8.self)
            if name.count == 5 {
                namespaces[""] = XMLNamespace(uri: uri)
            } else if name.dropFirst(5).first == UInt8(ascii: ":") {
                let prefix = String(decoding: name.dropFirst(6), as: UTF8.self)
                namespaces[prefix] = XMLNamespace(uri: uri)
            }
        }
        return namespaces
    }

    private mutating func attributes(
        _ namespaces: [String: XMLNamespace]
    ) -> [XMLNode.Attribute] {
        var attributes: [XMLNode.Attribute] = []
        attributes.reserveCapacity(scanner.attributes.count)
        for attribute in scanner.attributes {
            let bytes = scanner.bytes[attribute.name]
            if bytes.starts(with: "xmlns".utf8) { continue }
            let name = names.name(bytes)
            let namespace =
                name.prefix.isEmpty
                ? .rss : namespaces[name.prefix] ?? XMLNamespace(undeclared: name.prefix)
            let value = CharacterReferences.resolve(scanner.bytes[attribute.value])
            attributes.append(
                XMLNode.Attribute(
                    namespace: namespace,
                    name: name.local,
                    value: String(decoding: value, as: UTF8.self)
                )
            )
        }
        return attributes
    }

    private func base(_ namespaces: [String: XMLNamespace]) -> String {
        let outer = open.last?.base ?? base
        for attribute in scanner.attributes
        where scanner.bytes[attribute.name].elementsEqual("xml:base".utf8) {
            let value = CharacterReferences.resolve(scanner.bytes[attribute.value])
            guard value.count <= WebAddress.baseLimit else { return outer }
            let address = WebAddress.resolve(String(decoding: value, as: UTF8.self), base: outer)
            return address.utf8.count <= WebAddress.baseLimit ? address : outer
        }
        return outer
    }
}

/// The names that were read, of which a document has few: each is made once.
private struct XMLNameTable {
    struct Name {
        let prefix: String
        /// What follows the colon, in lower case.
        let local: String
        /// Whether it is of an element of HTML without content, which many leave open where it is not
        /// escaped.
        let isVoid: Bool

        init(_ text: String) {
            let colon = text.firstIndex(of: ":")
            prefix = colon.map { String(text[..<$0]) } ?? ""
            local = (colon.map { text[text.index(after: $0)...] } ?? text[...]).lowercased()
            isVoid = ["br", "hr", "img", "wbr"].contains(local)
        }
    }

    private static let slotCount = 64

    /// One name each, the last of its slot.
    private var slots = [(bytes: ArraySlice<UInt8>, name: Name)?](repeating: nil, count: slotCount)

    mutating func name(_ bytes: ArraySlice<UInt8>) -> Name {
        guard let first = bytes.first, let last = bytes.last else {
            return Name("")
        }
        let slot = (bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)) % XMLNameTable.slotCount
        if let known = slots[slot], known.bytes == bytes { return known.name }
        let name = Name(String(decoding: bytes, as: UTF8.self))
        slots[slot] = (bytes, name)
        return name
    }
}
