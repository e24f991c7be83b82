/// Writes HTML anew of the elements, attributes and schemes that are allowed.
///
/// Nothing of the input is copied but text and values, each escaped: what comes out has only allowed
/// tags, closed in order. Relative addresses are resolved.
package struct HTMLSanitizer {
    private let base: String
    private var output: [UInt8] = []
    private var open: [String] = []
    /// The elements with all that is in them that are being left out, outermost first.
    private var dropping: [String] = []

    /// Deeper elements are left out, their text stays.
    private static let depthLimit = 100

    private init(base: String) { self.base = base }

    /// Sanitises a fragment.
    ///
    /// - Parameters:
    ///   - html: Whatever a document had.
    ///   - base: The address that relative ones are relative to.
    package static func sanitize(_ html: String, base: String) -> String {
        let html = Array(html.utf8)
        var sanitizer = HTMLSanitizer(base: base)
        sanitizer.output.reserveCapacity(html.count)
        var tokenizer = HTMLTokenizer(html[...])
        while let token = tokenizer.next() { sanitizer.take(token) }
        while let name = sanitizer.open.popLast() { sanitizer.write("</\(name)>") }
        return String(decoding: sanitizer.output, as: UTF8.self)
    }

    private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func take(_ token: HTMLTokenizer.Token) {
        switch token {
        case .text(let bytes):
            if dropping.isEmpty {
                write(String(decoding: bytes, as: UTF8.self).escapedForHTML)
            }
        case .start(let name, let attributes): start(name, attributes)
        case .end(let name): end(name)
        }
    }

    private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
        if !dropping.isEmpty || HTMLVocabulary.dropped.contains(name) {
            // Only the same element can be nested in one that is left out, and end too early.
            if dropping.isEmpty || dropping[0] == name, dropping.count < 1000 {
                dropping.append(name)
            }
            return
        }
        guard let allowed = HTMLVocabulary.elements[name] else { return }
        var kept = self.kept(attributes, allowed, of: name)
        if name == "img" || name == "source" {
            guard !isInvisible(attributes), kept.contains(where: { $0.name.hasPrefix("src") })
            else {
                return
            }
        }
        if name == "a", kept.contains(where: { $0.name == "href" }) {
            kept.append((name: "rel", value: "noopener noreferrer"))
        }
        let isVoid = HTMLVocabulary.voidElements.contains(name)
        guard isVoid || open.count < HTMLSanitizer.depthLimit else { return }
        write("<\(name)")
        for (name, value) in kept { write(" \(name)=\"\(value.escapedForHTML)\"") }
        write(">")
        if !isVoid { open.append(name) }
    }

    private mutating func end(_ name: String) {
        if let last = dropping.last {
            if last == name { dropping.removeLast() }
            return
        }
        guard let index = open.lastIndex(of: name) else { return }
        while open.count > index, let name = open.popLast() { write("</\(name)>") }
    }

    private func isInvisible(_ attributes: [(name: String, value: String)]) -> Bool {
        attributes.contains {
            ($0.name == "width" || $0.name == "height")
                && ["0", "1", "1px"].contains($0.value.trimmed)
        }
    }
}

/// Attributes.
extension HTMLSanitizer {
    /// Where images wait until a script puts them into place.
    private static let lazy = [
        "data-src": "src", "data-original": "src", "data-lazy-src": "src", "data-srcset": "srcset",
        "data-lazy-srcset": "srcset",
    ]

    private func kept(
        _ attributes: [(name: String, value: String)],
        _ allowed: Set<String>,
        of element: String
    ) -> [(name: String, value: String)] {
        var kept: [(name: String, value: String)] = []
        func keep(_ name: String, _ value: String) {
            guard allowed.contains(name) || HTMLVocabulary.globalAttributes.contains(name),
                !kept.contains(where: { $0.name == name }),
                let value = checked(name, value, of: element)
            else { return }
            kept.append((name, value))
        }
        for (name, value) in attributes {
            if let place = HTMLSanitizer.lazy[name] { keep(place, value) }
        }
        for (name, value) in attributes { keep(name, value) }
        return kept
    }

    /// - Returns: `nil` for an address that is not allowed.
    private func checked(_ name: String, _ value: String, of element: String) -> String? {
        if name == "srcset" { return srcset(value) }
        guard HTMLVocabulary.addresses.contains(name) else { return value }
        return address(value, isLink: element == "a" && name == "href")
    }

    private func address(_ value: String, isLink: Bool) -> String? {
        // Browsers find schemes behind control characters and white space.
        let address = WebAddress.resolve(
            String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 0x20 })),
            base: base
        )
        guard let scheme = WebAddress.scheme(of: address) else {
            // Relative to what is not known; it can lead nowhere else than to where the page is.
            return address.contains(":") ? nil : address
        }
        let isAllowed =
            isLink
            ? HTMLVocabulary.linkSchemes.contains(scheme) : ["http", "https"].contains(scheme)
        return isAllowed ? address : nil
    }

    /// The candidates whose addresses are allowed (HTML Standard §4.8.4.2.1).
    private func srcset(_ value: String) -> String? {
        var candidates: [String] = []
        var rest = value[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            if rest.isEmpty { break }
            var url = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(url.count)
            var descriptor = ""
            if url.hasSuffix(",") {
                while url.hasSuffix(",") { url = url.dropLast() }
            } else {
                let part = rest.prefix { $0 != "," }
                rest = rest.dropFirst(part.count)
                descriptor = String(part).trimmed
            }
            let isPlain = descriptor.utf8.allSatisfy {
                $0.isASCIIAlphanumeric || [0x20, 0x2E].contains($0)
            }
            if let address = address(String(url), isLink: false), isPlain {
                candidates.append(descriptor.isEmpty ? address : "\(address) \(descriptor)")
            }
        }
        return candidates.isEmpty ? nil : candidates.joined(separator: ", ")
    }
}
