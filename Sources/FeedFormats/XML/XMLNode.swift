import FeedModel

/// An element with its content, at most ``depthLimit`` deep.
final class XMLNode {
    enum Content {
        case text(String)
        case node(XMLNode)
    }

    struct Attribute {
        let namespace: XMLNamespace
        /// The local name, in lower case.
        let name: String
        let value: String
    }

    /// The most elements within each other; deeper ones are left out, but their text is kept.
    static let depthLimit = 128

    let namespace: XMLNamespace
    let attributes: [Attribute]
    let scope: XMLScope
    private(set) var content: [Content] = []
    private let fullName: XMLNameTable.Name

    init(
        _ name: XMLNameTable.Name,
        of namespace: XMLNamespace,
        attributes: [Attribute],
        scope: XMLScope
    ) {
        fullName = name
        self.namespace = namespace
        self.attributes = attributes
        self.scope = scope
    }

    func append(_ part: Content) { content.append(part) }

    func removeChildren(where isRemoved: (XMLNode) -> Bool) {
        content.removeAll { if case .node(let node) = $0 { isRemoved(node) } else { false } }
    }

    /// The local name, in lower case.
    var name: String { fullName.local }

    /// The local name, if feeds use it; otherwise `other`.
    var element: FeedElementName { fullName.element }

    /// The base of relative addresses in the element (XML Base); empty: not known.
    var base: String { scope.base }

    /// The value of an attribute without a namespace, or else with a feed's: some feeds give their
    /// attributes the prefix of the element.
    subscript(name: String) -> String? {
        let own = attributes.first { $0.name == name && $0.namespace == .rss }
        return (own ?? attributes.first { $0.name == name && $0.namespace.isFeeds })?.value
    }

    /// Returns the number of bytes that an attribute states; `nil`: it states none, or 0.
    func byteCount(_ name: String) -> Int? {
        self[name].flatMap { Int(digits: $0.trimmed.utf8) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// All text in the element, at any depth.
    var text: String {
        if content.count == 1, case .text(let text) = content[0] { return text }
        var text = ""
        collect(into: &text)
        return text
    }

    private func collect(into text: inout String) {
        for part in content {
            switch part {
            case .text(let part): text += part
            case .node(let node): node.collect(into: &text)
            }
        }
    }

    /// The elements directly in this one.
    var children: [XMLNode] {
        content.compactMap { if case .node(let node) = $0 { node } else { nil } }
    }

    /// Returns the first element directly in this one that has a local name.
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// Returns the element's content as HTML.
    ///
    /// - Parameter base: The base that addresses will be resolved with; addresses of another base
    ///   (XML Base §4) are resolved here.
    func markup(within base: String) -> String {
        var markup = ""
        var resolving = ResolvingBudget(textByteCount: byteCount)
        writeContent(to: &markup, within: base, &resolving)
        return markup
    }

    /// The number of bytes of all texts and attributes in the element.
    private var byteCount: Int {
        content.reduce(attributes.reduce(0) { $0 + $1.value.utf8.count }) { count, part in
            switch part {
            case .text(let text): count + text.utf8.count
            case .node(let node): count + node.byteCount
            }
        }
    }

    private func writeContent(
        to markup: inout String,
        within base: String,
        _ resolving: inout ResolvingBudget
    ) {
        for part in content {
            switch part {
            case .text(let text): markup += text.escapedForHTML
            case .node(let node): node.write(to: &markup, within: base, &resolving)
            }
        }
    }

    private func write(
        to markup: inout String,
        within outer: String,
        _ resolving: inout ResolvingBudget
    ) {
        markup += "<\(name)"
        for attribute in attributes where attribute.namespace == .rss {
            var value = attribute.value
            if base != outer {
                if HTMLVocabulary.addresses.contains(attribute.name) {
                    value = resolving.resolve(value, base: base) ?? ""
                } else if attribute.name == "srcset" {
                    value = HTMLSanitizer.srcset(value, base: base, &resolving) ?? ""
                }
            }
            markup += " \(attribute.name)=\"\(value.escapedForHTML)\""
        }
        markup += ">"
        // The content of a void element was meant to stand behind it.
        let isVoid = HTMLVocabulary.voidElements.contains(name)
        writeContent(to: &markup, within: outer, &resolving)
        if !isVoid { markup += "</\(name)>" }
    }
}

extension String {
    /// The text with `&`, `<`, `>` and `"` as references.
    package var escapedForHTML: String {
        if !has(0x26), !has(0x3C), !has(0x3E), !has(0x22) { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 16)
        bytes.append(escapedForHTML: self)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The base and namespaces that an element passes on to the elements in it; most have their
/// parent's scope.
final class XMLScope: Sendable {
    /// The base of relative addresses (XML Base); empty: not known.
    let base: String
    /// The declared namespaces by their prefixes; the default namespace has an empty one.
    let namespaces: [String: XMLNamespace]
    /// The default namespace, which most names have.
    private let unprefixed: XMLNamespace

    init(base: String, namespaces: [String: XMLNamespace] = [:]) {
        self.base = base
        self.namespaces = namespaces
        unprefixed = namespaces[""] ?? XMLNamespace(undeclared: "")
    }

    func namespace(of prefix: String) -> XMLNamespace {
        if prefix.isEmpty { return unprefixed }
        return namespaces[prefix] ?? XMLNamespace(undeclared: prefix)
    }
}
