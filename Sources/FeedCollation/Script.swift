import Foundation

#if canImport(_FoundationICU)
import _FoundationICU
#endif

/// The script of a letter (Unicode, Scripts.txt).
struct Script: Hashable {
    /// The number of the script in ICU; hiragana's stands for both kinds of kana.
    private let code: UInt32

    private static let katakana = Script(code: 22)
    static let (han, hangul, kana) = (Script(code: 17), Script(code: 18), Script(code: 20))
    static let latin = Script(code: 25)

    private init(code: UInt32) { self.code = code }

    /// Finds the script of the first letter of `string`.
    ///
    /// Characters that sorting ignores are skipped: marks, and controls that are no space.
    ///
    /// - Returns: `nil` if the string does not start with a letter, or nothing knows its script.
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
        #if canImport(_FoundationICU)
        var status = U_ZERO_ERROR
        let code = swift_uscript_getScript(Int32(scalar.value), &status).rawValue
        // Letters that several scripts have in common stand for others, as the micro sign does.
        guard code > USCRIPT_INHERITED.rawValue else { return nil }
        self = code == Script.katakana.code ? .kana : Script(code: UInt32(code))
        #else
        return nil
        #endif
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
