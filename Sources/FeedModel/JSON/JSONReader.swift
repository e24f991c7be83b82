/// Reads JSON (RFC 8259) in one pass: checks it, hashes its values and notes the white space that
/// is to be left out.
///
/// Every method starts at the first byte of what it reads and ends right after its last. Depth is
/// bounded by `depthLimit`, and so is recursion.
struct JSONReader {
    /// The next byte to read.
    var index = 0
    /// The most objects and arrays that may be around a value, itself counted.
    let depthLimit: Int
    /// What is being kept of the document.
    var capture = JSONCapture()
    /// Members that were read, of all objects.
    var memberCount = 0
    /// The names of the members of all objects that are open.
    var names = MemberNames()
    let hashes = ValueHash.shared

    init(depthLimit: Int) {
        self.depthLimit = depthLimit
    }

    /// The next byte; 0, which is no token's, at the end.
    @inline(__always)
    func next(in source: Span<UInt8>) -> UInt8 {
        index < source.count ? unsafe source[unchecked: index] : 0
    }

    /// An error at the next byte, of the value that began at `start` where it is inside one.
    func expected(_ noun: StaticString, in start: Int? = nil) -> JSONFault {
        JSONFault(offset: index, in: start, problem: .expected(noun))
    }

    /// Passes white space (RFC 8259 §2).
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
    /// Space, line feed, carriage return or tab (RFC 8259 §2).
    var isWhiteSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}

extension JSONReader {
    /// Passes a value that has `depth` objects and arrays around it.
    ///
    /// - Returns: Its hash.
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
    /// Passes `[` and what follows up to the first element.
    ///
    /// - Returns: Whether there is one; else the array has been passed.
    mutating func openArray(in source: Span<UInt8>, depth: Int) throws(JSONFault) -> Bool {
        guard next(in: source) == UInt8(ascii: "[") else { throw expected("an array") }
        try check(depth)
        index += 1
        skipWhiteSpace(in: source)
        guard next(in: source) == UInt8(ascii: "]") else { return true }
        index += 1
        return false
    }

    /// Passes what follows an element.
    ///
    /// - Returns: Whether another follows; else the array has been passed.
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

    /// Refuses an object or array that is one of `depth` around each other.
    @inline(__always)
    func check(_ depth: Int) throws(JSONFault) {
        guard depth <= depthLimit else {
            throw JSONFault(offset: index, problem: .tooDeep(limit: depthLimit))
        }
    }
}
