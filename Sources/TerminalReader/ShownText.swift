/// Text that a terminal shows and does not obey, whatever a publisher wrote.
public enum ShownText {
    /// The text without controls, line ends and marks that turn the direction of what follows; with
    /// joiners and variation selectors, which emoji and some scripts need.
    public static func of(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: shown.append(" ")
            case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F: shown.append(scalar)
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned: break
                default: shown.append(scalar)
                }
            }
        }
        return String(shown)
    }

    /// The text cut to so many cells, with `…` where something is left out.
    static func cut(_ text: String, to cells: Int) -> String {
        guard cells > 0 else { return "" }
        guard CellWidth.of(text) > cells else { return text }
        var (result, used) = ("", 0)
        for character in text {
            let width = CellWidth.of(character).cells
            guard used + width < cells else { break }
            result.append(character)
            used += width
        }
        return result + "…"
    }

    /// An address that may be opened: of the web or of mail.
    static func link(_ text: String) -> String? {
        let allowed = ["http://", "https://", "mailto:"]
        guard allowed.contains(where: text.lowercased().hasPrefix),
            text.unicodeScalars.allSatisfy({ 0x21...0x7E ~= $0.value })
        else { return nil }
        return text
    }
}
