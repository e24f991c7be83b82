import FeedModel
import HTTPServer
import HTTPWire

/// Hashes the tag of a pull: the names of its feeds with their tokens or absence, and the view.
///
/// Eight bytes at a time go into a hash of 128 bits, by two multiplications to 128 bits whose
/// halves are exchanged (the principle of wyhash, Wang Yi). It need not withstand chosen input: the
/// names stand in the request, so all that differs for one request are tokens, which the server
/// draws and counts.
struct PullTag {
    private var low: UInt64 = 0x243f_6a88_85a3_08d3
    private var high: UInt64 = 0x1319_8a2e_0370_7344

    /// Adds a feed.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - token: The token of its version; `nil`: it is not there.
    mutating func add(_ name: Span<UInt8>, _ token: Token?) {
        add(name)
        // No epoch's code is 0.
        add(number: token?.epochCode ?? 0)
        if let token { add(number: UInt64(token.version)) }
    }

    /// The tag of all that was added, shown through a view.
    consuming func tag(_ view: FeedView) -> EntityTag {
        add(number: UInt64(bitPattern: Int64(view.limit ?? -1)))
        if let sections = view.sections {
            add(number: UInt64(sections.count))
            for section in sections.map(\.string).sorted() { add(section.utf8.span) }
        }
        // The last word has reached every bit once others follow it.
        add(number: 0)
        add(number: 0)
        return EntityTag(hash: low, high)
    }

    /// Adds bytes behind their number, so that no two rows of them are the same words.
    private mutating func add(_ bytes: Span<UInt8>) {
        add(number: UInt64(bytes.count))
        guard bytes.count >= 8 else {
            var word: UInt64 = 0
            for index in bytes.indices { word = word << 8 | UInt64(bytes[index]) }
            return add(number: word)
        }
        var index = 0
        while index + 8 < bytes.count {
            add(number: bytes.word(at: index))
            index += 8
        }
        // The last eight bytes; some of them were perhaps in the word before.
        add(number: bytes.word(at: bytes.count - 8))
    }

    private mutating func add(number: UInt64) {
        let first = (low ^ number).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        let second = (high &+ number).multipliedFullWidth(by: 0xd1b5_4a32_d192_ed03)
        low = first.low ^ second.high
        high = second.low ^ first.high
    }
}
