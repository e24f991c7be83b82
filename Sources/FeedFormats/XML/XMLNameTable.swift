/// A cache of the names that were read: a document repeats few names very often.
struct XMLNameTable {
    /// A name, with its parts and properties.
    final class Name: Sendable {
        /// The name as the document has it.
        let bytes: [UInt8]
        let prefix: String
        /// The part after the colon, in lower case.
        let local: String
        /// The local name, if feeds use it; otherwise `other`.
        let element: FeedElementName
        /// Whether the name is of an element of HTML without content, which many documents leave
        /// open in HTML that is not escaped.
        let isVoid: Bool

        fileprivate init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = Array(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let colon = text.firstIndex(of: ":")
            prefix = colon.map { String(text[..<$0]) } ?? ""
            local = (colon.map { text[text.index(after: $0)...] } ?? text[...]).lowercased()
            element = FeedElementName(rawValue: local) ?? .other
            isVoid = ["br", "hr", "img", "wbr"].contains(local)
        }
    }

    /// The number of slots: a power of two, and several times the number of names in a document.
    private static let slotCount = 256

    /// The last name of each slot.
    private var slots = [Name?](repeating: nil, count: slotCount)

    /// Returns the name in a part of a document.
    mutating func name(_ bytes: [UInt8], _ range: Range<Int>) -> Name {
        if range.isEmpty { return Name([]) }
        // Length and three letters tell the names of a document apart, or nearly.
        let middle = bytes[range.lowerBound + range.count / 2]
        let ends = Int(bytes[range.lowerBound]) &* 7 &+ Int(bytes[range.upperBound - 1]) &* 13
        let hash = range.count &* 31 &+ ends &+ Int(middle) &* 3
        let slot = hash & (XMLNameTable.slotCount - 1)
        if let known = slots[slot], bytes.has(known.bytes, in: range) { return known }
        let name = Name(bytes[range])
        slots[slot] = name
        return name
    }
}
