/// Writes XML; what it cannot hold becomes U+FFFD.
struct XMLWriter {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)

    mutating func open(_ name: String, _ attributes: [(String, String?)] = []) {
        write("<\(name)")
        for (name, value) in attributes {
            if let value { write(" \(name)=\"\(XMLWriter.escaped(value))\"") }
        }
        write(">")
    }

    mutating func close(_ name: String) { write("</\(name)>\n") }

    /// An element with a text; none where there is no text.
    mutating func element(
        _ name: String,
        _ attributes: [(String, String?)],
        _ text: String?
    ) {
        guard let text else { return }
        open(name, attributes)
        write(XMLWriter.escaped(text))
        close(name)
    }

    /// The same without attributes.
    mutating func element(_ name: String, _ text: String?) { element(name, [], text) }

    /// An element without content.
    mutating func empty(_ name: String, _ attributes: [(String, String?)]) {
        write("<\(name)")
        for (name, value) in attributes {
            if let value { write(" \(name)=\"\(XMLWriter.escaped(value))\"") }
        }
        write("/>\n")
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// With references for markup, and U+FFFD for what XML has no place for (XML 1.0 §2.2).
    private static func escaped(_ text: String) -> String {
        let escaped = text.escapedForHTML
        let isClean = escaped.unicodeScalars.allSatisfy(isAllowed)
        if isClean { return escaped }
        return String(
            String.UnicodeScalarView(
                escaped.unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }
            )
        )
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x20...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
