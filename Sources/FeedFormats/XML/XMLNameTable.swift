/// The names that were read, of which a document has few: each is made once.
struct XMLNameTable {
    /// A name, with what is known of it.
    final class Name: Sendable {
        /// As the document has it.
        let bytes: [UInt8]
        let prefix: String
        /// What follows the colon, in lower case.
        let local: String
        /// Whether it is of an element of HTML without content, which many leave open where it is not
        /// escaped.
        let isVoid: Bool

        fileprivate init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = Array(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let colon = text.firstIndex(of: ":")
            prefix = colon.map { String(text[..<$0]) } ?? ""
            local = (colon.map { text[text.index(after: $0)...] } ?? text[...]).lowercased()
            isVoid = ["br", "hr", "img", "wbr"].contains(local)
        }
    }

    private static let slotCount = 64

    /// One name each, the last of its slot.
    private var slots = [Name?](repeating: nil, count: slotCount)

    mutating func name(_ bytes: ArraySlice<UInt8>) -> Name {
        guard let first = bytes.first, let last = bytes.last else { return Name([]) }
        let slot = (bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)) % XMLNameTable.slotCount
        if let known = slots[slot], known.bytes[...] == bytes { return known }
        let name = Name(bytes)
        slots[slot] = name
        return name
    }
}
