import FeedModel

/// What the entity tag of a pull is made of: the names with the tokens of what is there, and the view.
struct PullHash {
    private var stream = SHA256Digest.Stream()

    /// Adds a feed.
    ///
    /// - Parameters:
    ///   - name: As it was given.
    ///   - token: Of its current version; empty: it is not there for the one who asks.
    mutating func add(_ name: Span<UInt8>, _ token: Span<UInt8>) {
        stream.add(length: name.count)
        stream.add(name)
        stream.add(length: token.count)
        stream.add(token)
    }

    /// Ends it.
    mutating func tag(_ view: FeedView) -> Tag {
        stream.add(length: view.limit ?? -1)
        stream.add(length: view.sections?.count ?? -1)
        for section in (view.sections ?? []).map(\.string).sorted() {
            let bytes = Array(section.utf8)
            stream.add(length: bytes.count)
            stream.add(bytes.span)
        }
        return Tag(hexadecimal: stream.digest())
    }
}

extension Tag {
    /// 128 bits of a digest in hexadecimal digits.
    fileprivate init(hexadecimal digest: SHA256Digest.Bytes) {
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for index in 0..<32 {
            let digit = digest[index / 2] >> (index & 1 == 0 ? 4 : 0) & 15
            text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
        self.init(bytes: text)
    }
}
