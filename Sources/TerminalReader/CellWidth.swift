import FeedModel

/// Computes how many cells of a terminal a text takes.
///
/// The table of wide characters is built in (Unicode Standard Annex #11, classes W and F), since
/// the C library's depends on the locale.
enum CellWidth {
    /// The characters that take two cells.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
        0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
        0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
        0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF,
        0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335,
        0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
        0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
        0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567,
        0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F,
        0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7,
        0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB,
        0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
        0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]

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
        let index = wide.partitionPoint { $0.upperBound < value }
        return index < wide.count && wide[index].contains(value) ? 2 : 1
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
