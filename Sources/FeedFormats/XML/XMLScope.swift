/// What an element passes on to those in it; most have that of their parent.
final class XMLScope: Sendable {
    /// What relative addresses are relative to (XML Base); empty: not known.
    let base: String
    /// The default namespace and prefixes that are declared.
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
