/// The name of an element in lower case, with all properties of the element.
///
/// A single search for the name thus replaces a search in each set of ``HTMLVocabulary``.
final class HTMLName: Sendable {
    let text: String
    let bytes: [UInt8]
    /// The element's bit in ``HTMLOpenElements/Names``; 0: it has none.
    let kind: HTMLOpenElements.Names
    /// The attributes of the element that are kept beside ``HTMLVocabulary/globalAttributes``;
    /// `nil`: the element's tags are removed.
    let attributes: [String]?
    /// Whether a tag of this name shows that a text is HTML.
    let isElement: Bool
    /// Whether the element has no content and no end tag.
    let isVoid: Bool
    /// Whether the element begins and ends a line when HTML becomes text.
    let isBlock: Bool
    /// Whether the element is removed with its content.
    let isDropped: Bool
    /// Whether the element shows something from another address, such as a film.
    let isPlayer: Bool
    /// Whether the tokenizer looks for the end tag to find out how far the element extends.
    let seeksEndTag: Bool
    /// Whether the content has no markup.
    let isRawText: Bool
    /// Whether the tags are removed, and the content is kept as it is spelled.
    let isVerbatim: Bool
    /// Whether the element may be in a head (HTML Standard §4.2.1); other start tags end the head.
    let isOfHead: Bool
    /// Whether the element only formats text, such as `b`.
    let isFormatting: Bool
    /// Whether the start tag ends SVG or MathML around it (HTML Standard §13.2.6.5).
    let endsForeign: Bool
    /// Whether the start tag ends an open paragraph (HTML Standard §13.1.2.4).
    let endsParagraph: Bool
    /// Whether the element is of SVG or MathML, but may hold HTML.
    let holdsHTML: Bool

    /// Makes a name, given in lower case, with its properties from the vocabulary.
    private init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        kind = HTMLOpenElements.bits[text] ?? 0
        attributes = HTMLVocabulary.elements[text].map { Array($0) }
        isElement = HTMLVocabulary.isElement(text)
        isVoid = HTMLVocabulary.voidElements.contains(text)
        isBlock = HTMLVocabulary.blocks.contains(text)
        isDropped = HTMLVocabulary.dropped.contains(text)
        isPlayer = HTMLVocabulary.players.contains(text)
        seeksEndTag = HTMLVocabulary.seekingEndTag.contains(text)
        isRawText = HTMLVocabulary.rawText.contains(text)
        isVerbatim = HTMLVocabulary.verbatim.contains(text)
        isOfHead = HTMLVocabulary.ofHead.contains(text)
        isFormatting = HTMLOpenElements.formatting.contains(text)
        endsForeign = HTMLVocabulary.endsForeign.contains(text)
        endsParagraph = HTMLOpenElements.endsParagraph.contains(text)
        holdsHTML = HTMLVocabulary.holdsHTML.contains(text)
    }

    /// Returns the name that the bytes spell in upper or lower case.
    static func name(_ bytes: ArraySlice<UInt8>) -> HTMLName {
        if let known = known[bytes] { return known }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        // The lower case of a letter beyond ASCII may be in ASCII: U+212A, the Kelvin sign, is k.
        return known[Array(text.utf8)[...]] ?? HTMLName(text)
    }

    /// The name `a`, of links.
    static let link = name(Array("a".utf8)[...])

    private static let known = Table(HTMLVocabulary.names.map { HTMLName($0) })
}

extension HTMLName: Equatable {
    static func == (left: HTMLName, right: HTMLName) -> Bool {
        left === right || left.text == right.text
    }
}

extension HTMLName {
    /// A hash table that finds the known names by their bytes.
    private struct Table {
        /// The number of slots: a power of two, and more than twice the number of names.
        private static let slotCount = 1024

        /// The slots; a name is in the first free slot from its hash on (linear probing).
        private var slots = [(key: Key, name: HTMLName)?](repeating: nil, count: slotCount)

        init(_ names: [HTMLName]) {
            precondition(names.count < Table.slotCount / 2)
            for name in names {
                guard let key = Key(name.bytes[...]) else { preconditionFailure(name.text) }
                slots[slot(of: key)] = (key, name)
            }
        }

        subscript(bytes: ArraySlice<UInt8>) -> HTMLName? {
            Key(bytes).flatMap { slots[slot(of: $0)]?.name }
        }

        /// Returns the slot of a key, or the free slot where the key would be.
        private func slot(of key: Key) -> Int {
            var slot = key.hash
            while let taken = slots[slot & (Table.slotCount - 1)], taken.key != key { slot += 1 }
            return slot & (Table.slotCount - 1)
        }
    }

    /// A name of up to 16 characters of ASCII, in lower case.
    private struct Key: Equatable {
        /// The bytes of the name, the last one lowest in the first word.
        private var words: (UInt64, UInt64) = (0, 0)

        /// Makes the key of a name in upper or lower case; `nil`: it has more than 16 bytes, a NUL,
        /// or characters beyond ASCII.
        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count <= 16 else { return nil }
            for byte in bytes {
                guard 1..<0x80 ~= byte else { return nil }
                words.1 = words.1 << 8 | words.0 >> 56
                words.0 = words.0 << 8 | UInt64(byte.lowercased)
            }
        }

        var hash: Int {
            let mixed = (words.0 ^ words.1 &* 31) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: mixed >> 40)
        }

        static func == (left: Key, right: Key) -> Bool {
            left.words.0 == right.words.0 && left.words.1 == right.words.1
        }
    }
}
