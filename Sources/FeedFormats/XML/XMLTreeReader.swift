/// Reads a document of elements, and passes on each that stands in a container as a tree of its
/// own.
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
        let name: XMLNameTable.Name
        let scope: XMLScope
        /// `nil`: it is a container.
        let node: XMLNode?
        let isEntry: Bool
    }

    /// The most elements that are open at a time, whatever they are; deeper ones are left out.
    static let openLimit = XMLNode.depthLimit + 8
    /// The most prefixes that hold at a place, and bytes of one.
    static let prefixLimit = 128

    private var scanner: XMLScanner
    private let outermost: XMLScope
    private var open: [Open] = []
    /// How many of the outermost ones are containers.
    private var containerCount = 0
    private var names = XMLNameTable()
    /// The most elements that were open at a time.
    private(set) var deepest = 0

    init(_ bytes: [UInt8], base: String) {
        scanner = XMLScanner(bytes)
        outermost = XMLScope(base: base)
    }

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - treat: Says what becomes of an element, by its namespace and name.
    ///   - take: Is called with each whole tree and the name of the container that it is in; `nil`
    ///     for the root.
    /// - Returns: Whether the document was cut off.
    mutating func read(
        treat: (XMLNamespace, XMLNameTable.Name) -> Treatment,
        take: (XMLNode, Treatment, _ container: XMLNameTable.Name?) -> Void
    ) -> Bool {
        while let token = scanner.next() {
            switch token {
            case .start(let name, let isEmpty): begin(name, isEmpty, treat, take)
            case .end(let name): end(names.name(scanner.bytes, name), take)
            case .text(let range):
                if hasText { add(CharacterReferences.resolve(scanner.bytes[range])) }
            case .characters(let range): if hasText { add(scanner.bytes[range]) }
            }
        }
        return scanner.isCutOff || !open.isEmpty
    }

    /// Whether text means something where it stands: between the elements of an entry it does not.
    private var hasText: Bool {
        guard let last = open.indices.last else { return false }
        return open[last].node != nil && !open[last].isEntry
    }

    private func add(_ text: ArraySlice<UInt8>) {
        open[open.count - 1].node?.append(.text(String(decoding: text, as: UTF8.self)))
    }

    private mutating func begin(
        _ range: Range<Int>,
        _ isEmpty: Bool,
        _ treat: (XMLNamespace, XMLNameTable.Name) -> Treatment,
        _ take: (XMLNode, Treatment, XMLNameTable.Name?) -> Void
    ) {
        let name = names.name(scanner.bytes, range)
        let outer = self.scope
        var scope = declared(in: outer)
        let namespace = scope.namespace(of: name.prefix)
        let kind = treat(namespace, name)
        var parent = outer
        if kind == .entry, isInEntry, isLost(behind: containerCount) {
            close(downTo: containerCount, take)
            parent = self.scope
        }
        if open.count >= XMLTreeReader.openLimit { return }
        let isTop = open.count == containerCount
        let base = self.base(in: parent)
        if base != nil || parent !== outer {
            scope = XMLScope(base: base ?? parent.base, namespaces: scope.namespaces)
        }
        var node: XMLNode?
        if isTop && kind == .container {
            containerCount += 1
        } else {
            node = XMLNode(name, of: namespace, attributes: attributes(scope), scope: scope)
        }
        let isEntry = isTop && kind == .entry
        open.append(Open(name: name, scope: scope, node: node, isEntry: isEntry))
        deepest = max(deepest, open.count)
        if isEmpty || name.isVoid && node != nil { close(downTo: open.count - 1, take) }
    }

    /// Whether an entry is open.
    private var isInEntry: Bool {
        open.count > containerCount && open[containerCount].isEntry
    }

    /// Elements of an entry that hold no entry, so that an end tag is missing where one begins
    /// there.
    private static let leaves: Set<FeedElementName> = [
        .title, .link, .description, .summary, .content, .encoded, .guid, .id, .pubDate, .published,
        .updated, .date, .author, .creator, .category, .comments, .enclosure, .p, .div, .a,
    ]

    /// Whether an entry in an entry is the next one, since the end of the first is missing. An
    /// element of the publisher's own may hold what has the same name.
    private func isLost(behind entry: Int) -> Bool {
        open[(entry + 1)...].allSatisfy { XMLTreeReader.leaves.contains($0.name.element) }
    }

    private mutating func end(
        _ name: XMLNameTable.Name,
        _ take: (XMLNode, Treatment, XMLNameTable.Name?) -> Void
    ) {
        if let last = open.indices.last, open[last].name === name {
            return close(downTo: last, take)
        }
        let bytes = name.bytes
        let index =
            open.lastIndex { $0.name === name || $0.name.bytes == bytes }
            ?? open.lastIndex {
                $0.name.bytes.elementsEqual(bytes) { $0.lowercased == $1.lowercased }
            }
        guard let index else { return }
        close(downTo: index, take)
    }

    private mutating func close(
        downTo index: Int,
        _ take: (XMLNode, Treatment, XMLNameTable.Name?) -> Void
    ) {
        while open.count > index {
            let last = open.removeLast()
            guard let node = last.node else {
                containerCount -= 1
                continue
            }
            if open.count > containerCount {
                open[open.count - 1].node?.append(.node(node))
            } else {
                take(node, last.isEntry ? .entry : .element, open.last?.name)
            }
        }
    }
}

/// Names.
extension XMLTreeReader {
    /// That of the innermost element.
    private var scope: XMLScope {
        // A look at one member copies no other.
        open.isEmpty ? outermost : open[open.count - 1].scope
    }

    /// The scope of the tag that was read last, with the base of its parent.
    private func declared(in outer: XMLScope) -> XMLScope {
        if scanner.attributes.isEmpty { return outer }
        var namespaces = outer.namespaces
        var isSame = true
        for attribute in scanner.attributes {
            guard scanner.isDeclaration(attribute) else { continue }
            let name = scanner.bytes[attribute.name]
            guard name.count <= XMLTreeReader.prefixLimit,
                namespaces.count < XMLTreeReader.prefixLimit
            else { continue }
            let uri = String(decoding: scanner.bytes[attribute.value], as: UTF8.self)
            isSame = false
            if name.count == 5 {
                namespaces[""] = XMLNamespace(uri: uri)
            } else if name.dropFirst(5).first == UInt8(ascii: ":") {
                let prefix = String(decoding: name.dropFirst(6), as: UTF8.self)
                namespaces[prefix] = XMLNamespace(uri: uri)
            }
        }
        return isSame ? outer : XMLScope(base: outer.base, namespaces: namespaces)
    }

    private mutating func attributes(_ scope: XMLScope) -> [XMLNode.Attribute] {
        var attributes: [XMLNode.Attribute] = []
        if scanner.attributes.isEmpty { return attributes }
        attributes.reserveCapacity(scanner.attributes.count)
        for attribute in scanner.attributes {
            if scanner.isDeclaration(attribute) { continue }
            let name = names.name(scanner.bytes, attribute.name)
            let namespace = name.prefix.isEmpty ? .rss : scope.namespace(of: name.prefix)
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

    /// The base that the tag itself gives; `nil`: none.
    private func base(in outer: XMLScope) -> String? {
        for attribute in scanner.attributes
        where scanner.bytes[attribute.name.lowerBound] == UInt8(ascii: "x")
            && scanner.bytes[attribute.name].elementsEqual("xml:base".utf8)
        {
            let value = CharacterReferences.resolve(scanner.bytes[attribute.value])
            guard value.count <= WebAddress.baseLimit else { return nil }
            let address = WebAddress.resolve(
                String(decoding: value, as: UTF8.self),
                base: outer.base
            )
            return address.utf8.count <= WebAddress.baseLimit ? address : nil
        }
        return nil
    }
}
