import FeedModel
import TerminalReader

/// Texts as configuration files in YAML have them.
enum YAMLText {
    /// Returns a text in YAML's double quotes, which are JSON's.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(jsonString: text)
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(into: "") {
            $0 += isPrintable($1) ? String($1) : ShownJSON.escape($1)
        }
    }

    /// Returns a list of texts on one line.
    static func list(_ texts: [String]) -> String {
        "[" + texts.map(quoted).joined(separator: ", ") + "]"
    }

    /// Returns whether YAML lets a character stand unescaped on a line (YAML 1.2.2, §5.1 and §5.4
    /// of 1.1), and a terminal shows it.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFEFF, 0xFFFE, 0xFFFF: false
        default: !ShownText.controlsTerminal(scalar)
        }
    }
}
