/// Makes text of publishers safe to print: nothing in it can control the terminal.
public enum ShownText {
    /// The most scalars of a text that are shown: more than any terminal's line has.
    private static let scalarLimit = 4_096
    /// The most combining marks on one character; more would cover the lines around it.
    private static let markLimit = 8

    /// Returns the text on one line, without controls and marks that change the direction of what
    /// follows.
    ///
    /// Joiners and variation selectors stay, which emoji and some scripts need.
    ///
    /// At most 4,096 scalars and 8 combining marks in a row are taken.
    public static func of(_ text: String) -> String {
        shown(text.unicodeScalars.prefix(scalarLimit))
    }

    /// Returns a text of any length without the characters that ``of(_:)`` removes, but with its
    /// line feeds and tabs.
    public static func lines(_ text: String) -> String {
        let plain: [Unicode.Scalar] = ["\n", "\t"]
        return text.unicodeScalars.split(omittingEmptySubsequences: false) { plain.contains($0) }
            .reduce(into: "") { shown, part in
                shown += Self.shown(part)
                // The line feed or tab after this part.
                if part.endIndex < text.unicodeScalars.endIndex {
                    shown.unicodeScalars.append(text.unicodeScalars[part.endIndex])
                }
            }
    }

    /// Whether a scalar controls the terminal instead of being shown: C0, DEL, C1, other line ends,
    /// and marks that change the direction of what follows.
    public static func controlsTerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func shown(_ text: Substring.UnicodeScalarView) -> String {
        var shown = String.UnicodeScalarView()
        var marks = 0
        for scalar in text {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > markLimit { continue }
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

    /// Whether a text has only invisible characters: spaces, joiners, fillers, and combining marks
    /// without a character.
    static func isBlank(_ text: String) -> Bool {
        of(text).unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || isMark(scalar) || scalar.value == 0x2800
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !(0xFE00...0xFE0F ~= scalar.value)
        default: false
        }
    }

    /// Returns the address if it is one of the web or of mail and has only visible ASCII
    /// characters; otherwise `nil`.
    static func link(_ text: String) -> String? {
        let allowed = ["http://", "https://", "mailto:"]
        guard allowed.contains(where: text.lowercased().hasPrefix),
            text.unicodeScalars.allSatisfy({ 0x21...0x7E ~= $0.value })
        else { return nil }
        return text
    }
}
