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
