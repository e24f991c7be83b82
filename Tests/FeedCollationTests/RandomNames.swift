import TestSupport

/// Names to sort that repeat with the generator's seed.
enum RandomNames {
    private static let letters = Array(
        "abcdefgzAEOYZÅÄÖåäöéñøæßłđüchkwy가까나하한漢李王阿一二あアかがカんЖжёЯяΑΩάאבשابي".unicodeScalars
    )

    private static let others = Array(
        "\u{301}\u{308}\u{323}\u{30a}\u{200d}\u{feff}\u{0}\u{7f} \t.,-'#0129½①😀👩🇸\u{fe0f}\u{e000}"
            .unicodeScalars
    )

    /// One to six letters of several scripts.
    static func letters(using generator: inout SeededGenerator) -> String {
        string(of: letters, count: 1...6, using: &generator)
    }

    /// Letters, marks, symbols, any scalar at all, or nothing; from time to time none.
    static func name(using generator: inout SeededGenerator) -> String? {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: nil
        case 1: string(of: others + letters, count: 0...5, using: &generator)
        case 2: string(of: any(using: &generator), count: 1...3, using: &generator)
        case 3: string(of: letters, count: 1...1, using: &generator)
        default: letters(using: &generator)
        }
    }

    private static func string(
        of scalars: [Unicode.Scalar],
        count: ClosedRange<Int>,
        using generator: inout SeededGenerator
    ) -> String {
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: count, using: &generator) {
            string.append(scalars[Int.random(in: scalars.indices, using: &generator)])
        }
        return String(string)
    }

    private static func any(using generator: inout SeededGenerator) -> [Unicode.Scalar] {
        (0..<4).map { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &generator)) ?? "\u{fffd}"
        }
    }
}
