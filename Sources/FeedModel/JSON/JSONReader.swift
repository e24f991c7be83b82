/// Reads JSON (RFC 8259) in one pass: validates it, hashes its values and records the white space
/// that is to be left out.
///
/// Every method starts at the first byte of its part and ends right after the last. The depth, and
/// so the recursion, is bounded by `depthLimit`.
struct JSONReader {
    /// The index of the next byte.
    var index = 0
    /// The most nested objects and arrays, including the value itself.
    let depthLimit: Int
    /// The part of the document that is being copied.
    var capture = JSONCapture()
    /// The number of members read in all objects.
    var memberCount = 0
    /// The names of the members of all open objects.
    var names = MemberNames()
    let hashes = ValueHash.shared

    init(depthLimit: Int) {
        self.depthLimit = depthLimit
    }

    /// Returns the next byte; at the end 0, which no token begins with.
    @inline(__always)
    func next(in source: Span<UInt8>) -> UInt8 {
        index < source.count ? unsafe source[unchecked: index] : 0
    }

    /// Returns a fault at the next byte, about the value that began at `start` if that is given.
    func expected(_ noun: StaticString, in start: Int? = nil) -> JSONFault {
        JSONFault(offset: index, in: start, problem: .expected(noun))
    }

    /// Skips white space (RFC 8259 §2).
    @inline(__always)
    mutating func skipWhiteSpace(in source: Span<UInt8>) {
        if index < source.count, unsafe source[unchecked: index] <= 0x20 { noteGap(in: source) }
    }

    private mutating func noteGap(in source: Span<UInt8>) {
        let start = index
        while next(in: source).isWhiteSpace { index += 1 }
        if index > start { capture.leaveOut(start..<index, of: source) }
    }
}

extension UInt8 {
    /// Whether the byte is space, line feed, carriage return or tab (RFC 8259 §2).
    var isWhiteSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}

extension JSONReader {
    /// Reads a value that is inside `depth` objects and arrays.
    ///
    /// - Returns: The hash of the value.
    mutating func value(in source: Span<UInt8>, depth: Int) throws(JSONFault) -> UInt64 {
        switch next(in: source) {
        case UInt8(ascii: "\""): return try string(in: source).hash
        case UInt8(ascii: "{"): return try object(in: source, depth: depth + 1)
        case UInt8(ascii: "["): return try array(in: source, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number(in: source)
        case UInt8(ascii: "t"): return try literal("true", in: source, hash: hashes.true)
        case UInt8(ascii: "f"): return try literal("false", in: source, hash: hashes.false)
        case UInt8(ascii: "n"): return try literal("null", in: source, hash: hashes.null)
        default: throw expected("a value")
        }
    }

    private mutating func literal(
        _ word: StaticString,
        in source: Span<UInt8>,
        hash: UInt64
    ) throws(JSONFault) -> UInt64 {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            let letter = unsafe word.utf8Start[offset]
            guard next(in: source) == letter else { throw expected(word, in: start) }
            index += 1
        }
        return hash
    }

    private mutating func array(in source: Span<UInt8>, depth: Int) throws(JSONFault) -> UInt64 {
        var state = hashes.emptyArray
        var isOpen = try openArray(in: source, depth: depth)
        while isOpen {
            state = hashes.element(try value(in: source, depth: depth), after: state)
            isOpen = try closeElement(in: source)
        }
        return hashes.array(state)
    }

    private mutating func object(in source: Span<UInt8>, depth: Int) throws(JSONFault) -> UInt64 {
        var sum: UInt64 = 0
        var members = try openObject(in: source, depth: depth)
        while members.isOpen {
            let name = try memberName(in: source, of: &members)
            let value = try value(in: source, depth: depth)
            sum &+= hashes.member(name: name.hash, value: value)
            try closeMember(in: source, of: &members)
        }
        return hashes.object(sum: sum)
    }
}

extension JSONReader {
    /// Reads `[` and the white space before the first element.
    ///
    /// - Returns: Whether there is an element; if not, the array has been read.
    mutating func openArray(in source: Span<UInt8>, depth: Int) throws(JSONFault) -> Bool {
        guard next(in: source) == UInt8(ascii: "[") else { throw expected("an array") }
        try check(depth)
        index += 1
        skipWhiteSpace(in: source)
        guard next(in: source) == UInt8(ascii: "]") else { return true }
        index += 1
        return false
    }

    /// Reads the comma or bracket after an element.
    ///
    /// - Returns: Whether another element follows; if not, the array has been read.
    mutating func closeElement(in source: Span<UInt8>) throws(JSONFault) -> Bool {
        skipWhiteSpace(in: source)
        switch next(in: source) {
        case UInt8(ascii: ","):
            index += 1
            skipWhiteSpace(in: source)
            return true
        case UInt8(ascii: "]"):
            index += 1
            return false
        default: throw expected("“,” or “]”")
        }
    }

    /// Throws if an object or array at this depth is nested too deep.
    @inline(__always)
    func check(_ depth: Int) throws(JSONFault) {
        guard depth <= depthLimit else {
            throw JSONFault(offset: index, problem: .tooDeep(limit: depthLimit))
        }
    }
}
