extension JSONReader {
    /// Reads a number (RFC 8259 §6).
    ///
    /// - Returns: The hash of its spelling.
    mutating func number(in source: Span<UInt8>) throws(JSONFault) -> UInt64 {
        let start = index
        if next(in: source) == UInt8(ascii: "-") { index += 1 }
        if next(in: source) == UInt8(ascii: "0") {
            index += 1
        } else {
            try digits(in: source, of: start)
        }
        if next(in: source) == UInt8(ascii: ".") {
            index += 1
            try digits(in: source, of: start)
        }
        if next(in: source) | 0x20 == UInt8(ascii: "e") {
            index += 1
            switch next(in: source) {
            case UInt8(ascii: "+"), UInt8(ascii: "-"): index += 1
            default: break
            }
            try digits(in: source, of: start)
        }
        return hashes.bytes(source, from: start, to: index, seed: hashes.number)
    }

    /// Reads one or more digits of the number that began at `start`.
    @inline(__always)
    private mutating func digits(in source: Span<UInt8>, of start: Int) throws(JSONFault) {
        guard next(in: source) &- UInt8(ascii: "0") <= 9 else {
            throw expected("a digit", in: start)
        }
        repeat { index += 1 } while next(in: source) &- UInt8(ascii: "0") <= 9
    }
}
