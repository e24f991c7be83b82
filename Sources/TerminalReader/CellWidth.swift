import _FoundationICU

/// Computes how many cells of a terminal a text takes.
///
/// Wide characters are those of Unicode Standard Annex #11, classes W and F; the C library's table
/// depends on the locale.
enum CellWidth {
    /// Returns the number of cells of a scalar: 0, 1 or 2.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // These vowels and final consonants join the Hangul syllable before them.
        if 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value { return 0 }
        let width = swift_u_getIntPropertyValue(Int32(value), UCHAR_EAST_ASIAN_WIDTH)
        return [U_EA_FULLWIDTH, U_EA_WIDE].contains { width == $0.rawValue } ? 2 : 1
    }

    /// Returns the number of cells of a character, and whether terminals may disagree about it:
    /// some show a sequence of emoji as one picture, some as several, as wcwidth(3) counts.
    static func of(_ character: Character) -> (cells: Int, isDoubtful: Bool) {
        let scalars = character.unicodeScalars
        guard scalars.count > 1 else {
            guard let scalar = scalars.first else { return (0, false) }
            // Half of a flag takes one cell by the table, but two where the font has a picture.
            return 0x1F1E6...0x1F1FF ~= scalar.value ? (2, true) : (of(scalar), false)
        }
        let sum = scalars.reduce(0) { $0 + of($1) }
        let isSequence = scalars.contains {
            $0.value == 0xFE0F || $0.properties.isEmojiModifier || 0x1F1E6...0x1F1FF ~= $0.value
                || $0.value == 0x200D && of(scalars[scalars.startIndex]) == 2
        }
        return (isSequence ? max(2, sum) : sum, true)
    }

    /// Returns the number of cells of a text.
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1).cells } }

    /// Returns the text, shortened to a number of cells with `…` at the end if it is longer.
    static func cut(_ text: String, to cells: Int) -> String {
        guard cells > 0 else { return "" }
        var used = 0
        // The end of the text if it has to be shortened.
        var end = text.startIndex
        for (index, character) in zip(text.indices, text) {
            if used < cells { end = index }
            used += of(character).cells
            if used > cells { return text[..<end] + "…" }
        }
        return text
    }
}
