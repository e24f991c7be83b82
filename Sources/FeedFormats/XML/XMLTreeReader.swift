/// Reads a document, and passes on each element in a container as a tree of its own.
///
/// End tags that fit no open element are ignored, and end tags of an outer element close all
/// elements in it. If the end of an element is missing, elements in it are passed on as if they
/// followed it.
struct XMLTreeReader {
    /// The treatment of an element that stands in containers only.
    enum Treatment {
        /// The elements in it are treated one by one.
        case container
        /// The element is passed on when it ends; the start of another entry ends it, too.
        case entry
        /// The element is passed on when it ends.
        case element
    }

    private struct Open {
        let name: XMLNameTable.Name
        let scope: XMLScope
        /// The element's tree; `nil`: the element is a container.
        let node: XMLNode?
        let isEntry: Bool
    }

    /// The most elements that are open at a time, of any kind; deeper ones are left out.
    static let openLimit = XMLNode.depthLimit + 8
    /// The most prefixes that are declared at a time, and the most bytes of a declaration's name.
    static let prefixLimit = 128

    private var scanner: XMLScanner
    private let outermost: XMLScope
    private var open: [Open] = []
    /// The number of outermost open elements that are containers.
    private var containerCount = 0
    private var names = XMLNameTable()
    /// The most elements that were open at a time.
    private(set) var deepest = 0
    /// The elements, by name, that had no end where one was due and held elements that are not
    /// theirs; the value is whether the end came later.
    private(set) var unclosed: [String: Bool] = [:]

    init(_ bytes: [UInt8], base: String) {
        scanner = XMLScanner(bytes)
        outermost = XMLScope(base: base)
    }

    /// Reads the whole document.
    ///
    /// - Parameters:
    ///   - treat: Returns the treatment of an element, by its namespace and name.
    ///   - take: Called with each whole tree and the name of the container that it is in; `nil` for
    ///     the root.
    /// - Returns: Whether the document was cut off.
    mutating func read(
        treat: (XMLNamespace, XMLNameTable.Name) -> Treatment,
        take: (XMLNode, Treatment, _ container: XMLNameTable.Name?) -> Void
    ) -> Bool {
        while let token = scanner.next() {
            switch token {
            case .start(let name, let isEmpty): begin(name, isEmpty: isEmpty, treat, take)
            case .end(let name): end(names.name(scanner.bytes, name), take)
            case .text(let range):
                if hasText { add(CharacterReferences.resolve(scanner.bytes[range])) }
            case .characters(let range): if hasText { add(scanner.bytes[range]) }
            }
        }
        return scanner.isCutOff || !open.isEmpty
    }

    /// Whether text has a meaning here: between the elements of an entry it has none.
    private var hasText: Bool {
        guard let last = open.indices.last else { return false }
        return open[last].node != nil && !open[last].isEntry
    }

    private func add(_ text: ArraySlice<UInt8>) {
        open[open.count - 1].node?.append(.text(String(decoding: text, as: UTF8.self)))
    }

    private mutating func begin(
        _ range: Range<Int>,
        isEmpty: Bool,
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
        } else if kind == .entry, !isInEntry, open.count > containerCount {
            note(open[containerCount].name)
            release(from: containerCount, take)
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

    private var isInEntry: Bool {
        open.count > containerCount && open[containerCount].isEntry
    }

    /// The elements of an entry that hold no entry: if an entry begins in one, an end tag is
    /// missing.
    private static let leaves: Set<FeedElementName> = [
        .title, .link, .description, .summary, .content, .encoded, .guid, .id, .pubDate, .published,
        .updated, .date, .author, .creator, .category, .comments, .enclosure, .p, .div, .a,
    ]

    /// Returns whether an entry inside an entry is really the next one, because the end tag of the
    /// first is missing.
    ///
    /// Otherwise the publisher has elements of its own with the name of an entry.
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
        guard let index else {
            let name = String(decoding: bytes, as: UTF8.self)
            if unclosed[name] != nil { unclosed[name] = true }
            return
        }
        close(downTo: index, take)
    }

    private mutating func close(
        downTo index: Int,
        _ take: (XMLNode, Treatment, XMLNameTable.Name?) -> Void
    ) {
        // These are elements of the feed, or of the entry that is open.
        let first = containerCount + (isInEntry ? 1 : 0)
        if index < first, open.count > first { release(from: first, take) }
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

/// Handles elements whose end is missing.
extension XMLTreeReader {
    /// The most elements without an end that are named in ``unclosed``.
    private static let unclosedLimit = 5

    /// Closes an element of a feed or an entry, and all open elements in it.
    ///
    /// Elements that it should not hold are treated as if they followed it.
    private mutating func release(
        from first: Int,
        _ take: (XMLNode, Treatment, XMLNameTable.Name?) -> Void
    ) {
        let lost = open[first...].compactMap(\.node)
        let name = open[first].name
        open.removeLast(open.count - first)
        var released: [XMLNode] = []
        for (index, node) in lost.enumerated() {
            if index == 0 || XMLTreeReader.isReleased(node, from: lost[index - 1]) {
                released.append(node)
            } else {
                lost[index - 1].append(.node(node))
            }
            released += node.release { XMLTreeReader.isReleased($0, from: node) }
        }
        if !isInEntry {
            if released.count > 1 || lost.first.map({ !$0.isLeaf }) ?? false { note(name) }
            for node in released { take(node, .element, open.last?.name) }
            return
        }
        if released.count > 1 { note(name) }
        for node in released { open[containerCount].node?.append(.node(node)) }
    }

    private mutating func note(_ unclosedName: XMLNameTable.Name) {
        guard unclosed.count < XMLTreeReader.unclosedLimit else { return }
        unclosed[String(decoding: unclosedName.bytes.prefix(100), as: UTF8.self)] = false
    }

    /// Returns whether an element was not meant to stand in an element without an end.
    private static func isReleased(_ node: XMLNode, from outer: XMLNode) -> Bool {
        switch node.element {
        case .p, .div, .a, .body: return false
        // HTML that is not escaped has these elements, too.
        case .title, .summary, .source: if outer.isContent { return false }
        case .updatePeriod, .updateFrequency: return true
        default: break
        }
        switch node.namespace {
        case .xhtml, .other, .xml: return false
        case .rss, .atom, .atom03, .rdf: return node.element != .other
        case .content, .dublinCore, .dublinCoreTerms, .media, .itunes, .feedBurner: return true
        }
    }
}

extension XMLNode {
    /// Whether the element holds text that may have tags.
    fileprivate var isContent: Bool {
        namespace != .media
            && [.description, .summary, .content, .encoded, .subtitle, .tagline].contains(element)
    }

    /// Whether the element holds text alone.
    fileprivate var isLeaf: Bool { isContent || XMLNode.leaves.contains(element) }

    private static let leaves: Set<FeedElementName> = [
        .title, .link, .guid, .id, .pubDate, .published, .updated, .date, .creator, .category,
        .comments, .enclosure, .language, .ttl, .logo, .icon, .lastBuildDate, .managingEditor,
    ]

    /// Returns the elements in this one that a condition holds for; an element that holds text
    /// alone loses them.
    fileprivate func release(where isReleased: (XMLNode) -> Bool) -> [XMLNode] {
        let released = children.filter(isReleased)
        if isLeaf, !released.isEmpty { removeChildren(where: isReleased) }
        return released
    }
}

/// Resolves names and scopes.
extension XMLTreeReader {
    /// The scope of the innermost element.
    private var scope: XMLScope {
        // Access to one member copies no other.
        open.isEmpty ? outermost : open[open.count - 1].scope
    }

    /// Returns the scope of the tag that was read last, with the base of its parent.
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
            attributes.append(
                XMLNode.Attribute(
                    namespace: namespace,
                    name: name.local,
                    value: CharacterReferences.text(scanner.bytes[attribute.value])
                )
            )
        }
        return attributes
    }

    /// Returns the base that the tag itself gives; `nil`: none.
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
