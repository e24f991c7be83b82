import FeedModel
import Foundation

/// A script, for each that has letters in some index.
enum Script: Hashable {
    case adlam, arabic, armenian, bengali, chakma, cherokee, cyrillic, devanagari, ethiopic
    case georgian, greek, gujarati, gurmukhi, han, hangul, hebrew, kana, kannada, khmer, lao, latin
    case malayalam, myanmar, olChiki, oriya, sinhala, tamil, telugu, thai, tibetan, tifinagh, vai

    /// Finds the script of the first letter of `string`.
    ///
    /// Characters that sorting ignores are skipped: marks, and controls that are no space.
    ///
    /// - Returns: `nil` if the string does not start with a letter of one of these scripts.
    init?(startOf string: String) {
        for scalar in string.unicodeScalars {
            if scalar.isASCII {
                guard !scalar.isIgnoredControl else { continue }
                guard scalar.properties.isAlphabetic else { return nil }
                self = .latin
                return
            }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: continue
            case .control where scalar.isIgnoredControl: continue
            default: break
            }
            let script = Script(letter: scalar) ?? Script(letterIn: scalar)
            guard let script else { return nil }
            self = script
            return
        }
        return nil
    }

    /// Finds the script of a scalar that is a letter by itself.
    private init?(letter scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .letterNumber:
            break
        default: return nil
        }
        let blocks = Script.blocks
        let index = blocks.partitionPoint { $0.last < scalar.value }
        guard index < blocks.count, blocks[index].first <= scalar.value else { return nil }
        self = blocks[index].script
    }

    /// Finds the script of a scalar that stands for a letter: a wide, circled or raised one, or a
    /// ligature.
    private init?(letterIn scalar: Unicode.Scalar) {
        let parts = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
        guard let first = parts.first, first != scalar else { return nil }
        self.init(letter: first)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control that sorting ignores; the other controls are white space.
    fileprivate var isIgnoredControl: Bool {
        properties.generalCategory == .control && !properties.isWhitespace
    }
}

extension Script {
    /// The blocks that hold letters of a script, in ascending order (Unicode, Blocks.txt).
    ///
    /// Presentation forms and the micro sign are left out: they decompose.
    private static let blocks: [(first: UInt32, last: UInt32, script: Script)] = [
        (0x0041, 0x00b4, .latin), (0x00b6, 0x02af, .latin), (0x0370, 0x03ff, .greek),
        (0x0400, 0x052f, .cyrillic),
        (0x0530, 0x058f, .armenian), (0x0590, 0x05ff, .hebrew), (0x0600, 0x06ff, .arabic),
        (0x0750, 0x077f, .arabic), (0x0870, 0x08ff, .arabic), (0x0900, 0x097f, .devanagari),
        (0x0980, 0x09ff, .bengali), (0x0a00, 0x0a7f, .gurmukhi), (0x0a80, 0x0aff, .gujarati),
        (0x0b00, 0x0b7f, .oriya), (0x0b80, 0x0bff, .tamil), (0x0c00, 0x0c7f, .telugu),
        (0x0c80, 0x0cff, .kannada), (0x0d00, 0x0d7f, .malayalam), (0x0d80, 0x0dff, .sinhala),
        (0x0e00, 0x0e7f, .thai), (0x0e80, 0x0eff, .lao), (0x0f00, 0x0fff, .tibetan),
        (0x1000, 0x109f, .myanmar), (0x10a0, 0x10ff, .georgian), (0x1100, 0x11ff, .hangul),
        (0x1200, 0x139f, .ethiopic), (0x13a0, 0x13ff, .cherokee), (0x1780, 0x17ff, .khmer),
        (0x1c50, 0x1c7f, .olChiki), (0x1c80, 0x1c8f, .cyrillic), (0x1c90, 0x1cbf, .georgian),
        (0x1d00, 0x1dbf, .latin), (0x1e00, 0x1eff, .latin), (0x1f00, 0x1fff, .greek),
        (0x2c60, 0x2c7f, .latin), (0x2d00, 0x2d2f, .georgian), (0x2d30, 0x2d7f, .tifinagh),
        (0x2d80, 0x2ddf, .ethiopic), (0x3007, 0x3007, .han), (0x3041, 0x30ff, .kana),
        (0x3131, 0x318f, .hangul), (0x31f0, 0x31ff, .kana), (0x3400, 0x4dbf, .han),
        (0x4e00, 0x9fff, .han), (0xa500, 0xa63f, .vai), (0xa640, 0xa69f, .cyrillic),
        (0xa720, 0xa7ff, .latin), (0xa8e0, 0xa8ff, .devanagari), (0xa960, 0xa97f, .hangul),
        (0xa9e0, 0xa9ff, .myanmar), (0xaa60, 0xaa7f, .myanmar), (0xab00, 0xab2f, .ethiopic),
        (0xab30, 0xab6f, .latin), (0xab70, 0xabbf, .cherokee), (0xac00, 0xd7ff, .hangul),
        (0xf900, 0xfaff, .han), (0x11100, 0x1114f, .chakma), (0x1b000, 0x1b16f, .kana),
        (0x1e900, 0x1e95f, .adlam), (0x20000, 0x323af, .han),
    ]
}
