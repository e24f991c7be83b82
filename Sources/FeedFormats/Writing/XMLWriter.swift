/// Writes XML; characters that XML cannot hold become U+FFFD.
struct XMLWriter {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)

    mutating func open(_ name: String, _ attributes: [(String, String?)] = []) {
        tag(name, attributes, end: ">")
    }

    private mutating func tag(_ name: String, _ attributes: [(String, String?)], end: String) {
        write("<\(name)")
        for (name, value) in attributes {
            if let value { write(" \(name)=\"\(XMLWriter.escaped(value, isAttribute: true))\"") }
        }
        write(end)
    }

    mutating func close(_ name: String) { write("</\(name)>\n") }

    /// Writes an element with a text; no element if there is no text.
    mutating func element(_ name: String, _ attributes: [(String, String?)], _ text: String?) {
        guard let text else { return }
        open(name, attributes)
        write(XMLWriter.escaped(text))
        close(name)
    }

    /// Writes an element with a text and no attributes; no element if there is no text.
    mutating func element(_ name: String, _ text: String?) { element(name, [], text) }

    /// Writes an element without content.
    mutating func empty(_ name: String, _ attributes: [(String, String?)]) {
        tag(name, attributes, end: "/>\n")
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Returns a text with references for markup and for white space that reading would change (XML
    /// 1.0 §2.11, §3.3.3), and U+FFFD for characters that XML does not allow (§2.2).
    private static func escaped(_ text: String, isAttribute: Bool = false) -> String {
        let escaped = text.escapedForHTML
        let isPlain = escaped.utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0xEF || !isAttribute && ($0 == 0x0A || $0 == 0x09)
        }
        if isPlain { return escaped }
        var scalars = String.UnicodeScalarView()
        for scalar in escaped.unicodeScalars {
            switch scalar.value {
            case 0x0D,
                0x09 where isAttribute, 0x0A where isAttribute:
                scalars.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            case 0x09, 0x0A, 0x20...0xFFFD, 0x10000...: scalars.append(scalar)
            default: scalars.append("\u{FFFD}")
            }
        }
        return String(scalars)
    }
}
