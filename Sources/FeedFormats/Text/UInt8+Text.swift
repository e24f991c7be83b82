extension UInt8 {
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    /// Whether the byte is white space of HTML: space, tab, line feed, form feed or carriage
    /// return.
    var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self && self != 0x0B }

    /// The byte, as a lower-case letter if it is a letter of ASCII.
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        // Nearly all texts begin and end with plain characters.
        if let first = utf8.first, let last = utf8.last, 0x21...0x7E ~= first, 0x21...0x7E ~= last {
            return self
        }
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// The text without white space at its ends; `nil`: nothing is left.
    package var nonempty: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }

    /// The text as a language tag of BCP 47 (RFC 5646 §2.1), with hyphens for underscores; `nil`
    /// for a text of another form.
    ///
    /// The parts of the tag need not be registered.
    var languageTag: String? {
        let parts = trimmed.replacing("_", with: "-").split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        let isTag = parts.enumerated().allSatisfy { index, part in
            1...8 ~= part.utf8.count
                && part.utf8.allSatisfy { index == 0 ? $0.isASCIILetter : $0.isASCIIAlphanumeric }
        }
        return isTag ? parts.joined(separator: "-") : nil
    }

    /// Whether the text is a media type and subtype, perhaps with parameters (RFC 9110 §8.3.1).
    var isMediaType: Bool {
        let parts = prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        $0.isASCIIAlphanumeric || "!#$&-^_.+".utf8.contains($0)
                    }
            }
    }
}
