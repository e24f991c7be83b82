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
        let isContainer: Bool
        let isEntry: Bool
        let base: String
        /// The default namespace and prefixes that it declares, over those of its parents.
        let namespaces: [String: XMLNamespace]
        var node: XMLNode?
    }

    private var scanner: XMLScanner
    private let base: String
    private var open: [Open] = []
    private var isAfterFirst = false

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
            case .characters(let range): if isInElement { add(Array(scanner.bytes[range])) }
            }
        }
        return scanner.isCutOff || open.contains { !$0.isContainer || $0.node != nil }
    }

    private var isInElement: Bool { open.last?.node != nil }

    private mutating func add(_ text: [UInt8]) {
        open[open.count - 1].node?.content.append(.text(String(decoding: text, as: UTF8.self)))
    }

    private mutating func begin(
        _ range: Range<Int>,
        _ isEmpty: Bool,
        _ treat: (XMLNamespace, String, String) -> Treatment,
        _ take: (XMLNode, Treatment, String) -> Void
    ) {
        let namespaces = declared()
        let (namespace, name) = resolve(scanner.bytes[range], namespaces)
        let container = open.last { $0.isContainer }
        let containerName =
            container.map { String(decoding: $0.name, as: UTF8.self).localName } ?? ""
        let kind = treat(namespace, name, containerName)
        if let last = open.last, !last.isContainer {
            if kind == .entry, let entry = open.firstIndex(where: \.isEntry) {
                close(downTo: entry, take)
            } else if open.count > XMLNode.depthLimit + 8 {
                return
            }
        }
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
                isContainer: isContainer,
                isEntry: isTop && kind == .entry,
                base: base,
                namespaces: namespaces,
                node: node
            )
        )
        if isEmpty { close(downTo: open.count - 1, take) }
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
                let container = open.last.map { String(decoding: $0.name, as: UTF8.self).localName }
                take(node, last.isEntry ? .entry : .element, container ?? "")
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
            guard name.starts(with: "xmlns".utf8) else { continue }
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

    private func resolve(
        _ name: ArraySlice<UInt8>,
        _ namespaces: [String: XMLNamespace]
    ) -> (XMLNamespace, String) {
        let text = String(decoding: name, as: UTF8.self)
        let prefix = text.firstIndex(of: ":").map { String(text[..<$0]) } ?? ""
        let namespace = namespaces[prefix] ?? XMLNamespace(undeclared: prefix)
        return (namespace, text.localName)
    }

    private func attributes(_ namespaces: [String: XMLNamespace]) -> [XMLNode.Attribute] {
        scanner.attributes.compactMap { attribute in
            let name = String(decoding: scanner.bytes[attribute.name], as: UTF8.self)
            if name.hasPrefix("xmlns") { return nil }
            let prefix = name.firstIndex(of: ":").map { String(name[..<$0]) } ?? ""
            let namespace =
                prefix.isEmpty ? .rss : namespaces[prefix] ?? XMLNamespace(undeclared: prefix)
            let value = CharacterReferences.resolve(scanner.bytes[attribute.value])
            return XMLNode.Attribute(
                namespace: namespace,
                name: name.localName,
                value: String(decoding: value, as: UTF8.self)
            )
        }
    }

    private func base(_ namespaces: [String: XMLNamespace]) -> String {
        let outer = open.last?.base ?? base
        for attribute in scanner.attributes
        where scanner.bytes[attribute.name].elementsEqual("xml:base".utf8) {
            let value = CharacterReferences.resolve(scanner.bytes[attribute.value])
            return WebAddress.resolve(String(decoding: value, as: UTF8.self), base: outer)
        }
        return outer
    }
}

extension String {
    /// What follows the colon, in lower case.
    fileprivate var localName: String {
        let local = firstIndex(of: ":").map { self[index(after: $0)...] } ?? self[...]
        return local.lowercased()
    }
}
