/// Reads JSON (RFC 8259) in one pass: validates it, hashes its values, and copies parts of it
/// without white space.
///
/// Every method reads one part: ``index`` is at the part's first byte before the call, and right
/// after its last byte afterwards. The methods recurse no deeper than ``depthLimit``.
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

    /// Returns the next byte; at the end 0, with which no token begins.
    @inline(__always)
    func next(in source: Span<UInt8>) -> UInt8 {
        index < source.count ? unsafe source[unchecked: index] : 0
    }

    /// Returns the error that `noun` was expected at the next byte; its path leads to the value
    /// that begins at `start`, if given.
    func expected(_ noun: StaticString, in start: Int? = nil) -> JSONFault {
        JSONFault(offset: index, in: start, problem: .expected(noun))
    }

    /// Skips white space (RFC 8259 §2).
    @inline(__always)
    mutating func skipWhiteSpace(in source: Span<UInt8>) {
        if index < source.count, unsafe source[unchecked: index] <= 0x20 { noteGap(in: source) }
    }

    /// Skips the white space at the next byte, if it is any, and leaves it out of the copy.
    private mutating func noteGap(in source: Span<UInt8>) {
        let start = index
        while next(in: source).isWhiteSpace { index += 1 }
        if index > start { capture.leaveOut(start..<index, of: source) }
    }
}

extension UInt8 {
    /// Whether the byte is space, line feed, carriage return or tab (RFC 8259 §2).
    var isWhiteSpace: Bool {
        switch self {
        case 0x20, 0x0a, 0x0d, 0x09: true
        default: false
        }
    }
}

extension JSONReader {
    /// Reads a value that is nested in `depth` objects and arrays, and returns its hash.
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
        var isFirst = true
        try openArray(in: source, depth: depth)
        while try nextElement(in: source, isFirst: isFirst) {
            state = hashes.element(try value(in: source, depth: depth), after: state)
            isFirst = false
        }
        return hashes.array(state)
    }

    private mutating func object(in source: Span<UInt8>, depth: Int) throws(JSONFault) -> UInt64 {
        var sum: UInt64 = 0
        var members = try openObject(in: source, depth: depth)
        while let name = try nextMember(in: source, of: &members) {
            let value = try value(in: source, depth: depth)
            sum &+= hashes.member(name: name.hash, value: value)
        }
        return hashes.object(sum: sum)
    }
}

extension JSONReader {
    /// Reads `[`, which ``nextElement(in:isFirst:)`` follows.
    mutating func openArray(in source: Span<UInt8>, depth: Int) throws(JSONFault) {
        guard next(in: source) == UInt8(ascii: "[") else { throw expected("an array") }
        try check(depth)
        index += 1
    }

    /// Reads up to the next element of an array, or the array's end; returns whether there is one.
    mutating func nextElement(in source: Span<UInt8>, isFirst: Bool) throws(JSONFault) -> Bool {
        skipWhiteSpace(in: source)
        if next(in: source) == UInt8(ascii: "]") {
            index += 1
            return false
        }
        guard !isFirst else { return true }
        guard next(in: source) == UInt8(ascii: ",") else { throw expected("“,” or “]”") }
        index += 1
        skipWhiteSpace(in: source)
        return true
    }

    /// Throws if an object or array at this depth is nested too deep.
    @inline(__always)
    func check(_ depth: Int) throws(JSONFault) {
        guard depth <= depthLimit else {
            throw JSONFault(offset: index, problem: .tooDeep(limit: depthLimit))
        }
    }
}

extension JSONReader {
    /// Reads a string (RFC 8259 §7).
    ///
    /// Eight bytes are read at a time. If any of them is not ASCII, the whole string is checked to
    /// be UTF-8 at its end.
    mutating func string(in source: Span<UInt8>) throws(JSONFault) -> StringToken {
        let start = index + 1
        var position = start
        var state = hashes.string
        var seen: UInt64 = 0
        while true {
            let word = source.paddedWord(at: position)
            let stops = word.stopsOfString
            seen |= word
            guard stops != 0 else {
                state = hashes.adding(word, to: state)
                position += 8
                continue
            }
            let count = stops.trailingZeroBitCount >> 3
            guard word.byte(count) == UInt8(ascii: "\"") else {
                let beginning = StringHash(state: state, count: position - start)
                return try string(in: source, from: start, after: beginning)
            }
            let end = position + count
            if !seen.isASCII { try checkEncoding(from: start, to: end, of: source) }
            index = end + 1
            let length = end - start
            return StringToken(
                start: start,
                end: end,
                hash: hashes.ending(state, tail: word & .lowBytes(count), length: length),
                isEscaped: false
            )
        }
    }

    /// Reads the rest of a string that contains an escape or a byte that is not allowed.
    private mutating func string(
        in source: Span<UInt8>,
        from start: Int,
        after beginning: StringHash
    ) throws(JSONFault) -> StringToken {
        var hash = beginning
        index = start + beginning.count
        while true {
            let word = source.paddedWord(at: index)
            let stops = word.stopsOfString
            guard stops != 0 else {
                hash.add(word, count: 8)
                index += 8
                continue
            }
            let count = stops.trailingZeroBitCount >> 3
            hash.add(word & .lowBytes(count), count: count)
            index += count
            switch word.byte(count) {
            case UInt8(ascii: "\""):
                try checkEncoding(from: start, to: index, of: source)
                index += 1
                return StringToken(start: start, end: index - 1, hash: hash.end(), isEscaped: true)
            case UInt8(ascii: "\\"):
                do throws(JSONFault) {
                    let escape = try source.escape(at: &index)
                    hash.add(escape.utf8, count: escape.count)
                } catch {
                    try checkEncoding(from: start, to: error.offset, of: source)
                    throw error
                }
            default:
                try checkEncoding(from: start, to: index, of: source)
                if index == source.count { throw expected("the closing quote") }
                throw refused("a control character in a string must be escaped")
            }
        }
    }

    private func checkEncoding(
        from start: Int,
        to end: Int,
        of source: Span<UInt8>
    ) throws(JSONFault) {
        guard let position = source.firstNotUTF8(from: start, to: end) else { return }
        throw refused("holds bytes that are not UTF-8", at: position)
    }

    private func refused(_ reason: String, at offset: Int? = nil) -> JSONFault {
        JSONFault(offset: offset ?? index, problem: .refused(reason))
    }
}

extension Span<UInt8> {
    /// Reads the escape at `index`, or two that form a surrogate pair (RFC 8259 §7), and returns
    /// the UTF-8 of the character, the first byte lowest.
    func escape(at index: inout Int) throws(JSONFault) -> (utf8: UInt64, count: Int) {
        let start = index
        index += 1
        let kind = index < count ? self[index] : 0
        guard kind == UInt8(ascii: "u") else {
            guard let byte = kind.meaningAfterBackslash else {
                let noun: StaticString = "one of “\"\\/bfnrtu” after a backslash"
                throw JSONFault(offset: index, problem: .expected(noun))
            }
            index += 1
            return (UInt64(byte), 1)
        }
        let unit = try codeUnit(at: &index)
        guard 0xd800...0xdfff ~= unit else { return UInt64.utf8(of: unit) }
        let half = JSONFault(offset: start, problem: .refused("holds half a surrogate pair"))
        guard unit < 0xdc00, index + 1 < count, self[index] == UInt8(ascii: "\\"),
            self[index + 1] == UInt8(ascii: "u")
        else { throw half }
        index += 1
        let low = try codeUnit(at: &index)
        guard 0xdc00...0xdfff ~= low else { throw half }
        return UInt64.utf8(of: 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    }

    /// Reads `u` and its four digits.
    private func codeUnit(at index: inout Int) throws(JSONFault) -> UInt32 {
        guard let unit = hexadecimal(at: index + 1) else {
            let reason = "“\\u” must have four hexadecimal digits"
            throw JSONFault(offset: index, problem: .refused(reason))
        }
        index += 5
        return unit
    }
}

extension UInt8 {
    /// The character for which a backslash and this letter stand (RFC 8259 §7); `nil` for `u`, and
    /// for a letter that forms no escape.
    @inline(__always)
    fileprivate var meaningAfterBackslash: UInt8? {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        default: nil
        }
    }
}

extension UInt64 {
    /// The high bit of the first byte that is a quote, a backslash or a control character; 0 if
    /// there is none.
    ///
    /// Higher bits may be set as well: a byte is zero if subtracting 1 from it borrows, and a
    /// borrow affects only higher bytes.
    @inline(__always)
    fileprivate var stopsOfString: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ (ones &* 0x22)
        let backslashes = self ^ (ones &* 0x5c)
        let isStop = (quotes &- ones) | (backslashes &- ones) | (self &- ones &* 0x20)
        return isStop & ~self & (ones &* 0x80)
    }
}

extension JSONReader {
    /// Reads a number (RFC 8259 §6), and returns the hash of its spelling.
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

extension JSONReader {
    /// Reads `{`, which ``nextMember(in:of:)`` follows.
    mutating func openObject(
        in source: Span<UInt8>,
        depth: Int
    ) throws(JSONFault) -> MemberNames.Object {
        guard next(in: source) == UInt8(ascii: "{") else { throw expected("an object") }
        try check(depth)
        index += 1
        return names.open()
    }

    /// Reads up to the value of an object's next member, or to the object's end; returns the
    /// member's name, `nil` if there is no other member.
    mutating func nextMember(
        in source: Span<UInt8>,
        of object: inout MemberNames.Object
    ) throws(JSONFault) -> StringToken? {
        skipWhiteSpace(in: source)
        if next(in: source) == UInt8(ascii: "}") {
            index += 1
            names.close(object)
            return nil
        }
        if !object.isEmpty {
            guard next(in: source) == UInt8(ascii: ",") else { throw expected("“,” or “}”") }
            index += 1
            skipWhiteSpace(in: source)
        }
        guard next(in: source) == UInt8(ascii: "\"") else {
            throw expected("the name of a member")
        }
        let name = try string(in: source)
        let isNew = names.insert(name, to: &object, in: source)
        memberCount += 1
        skipWhiteSpace(in: source)
        guard next(in: source) == UInt8(ascii: ":") else { throw expected("“:”") }
        index += 1
        skipWhiteSpace(in: source)
        guard isNew else { throw JSONFault(offset: index, problem: .duplicateMember) }
        return name
    }
}

extension JSONReader {
    /// Reads an item and copies its JSON; an equal item of an earlier version, in `known`, is
    /// returned instead of a copy.
    mutating func item(
        in bytes: ArraySlice<UInt8>,
        known: inout KnownItems?
    ) throws(JSONFault) -> (item: FeedItem, id: StringToken) {
        let start = index
        let (hash, id) = try passItem(in: bytes)
        guard let id else { throw JSONFault(offset: start, problem: .missing("id")) }
        let text = capture.end(at: index, in: bytes)
        if let item = known?.item(hash: hash, id: id, in: bytes) {
            let known = item.json.bytes[...]
            if text.span.isEqual(to: known.span) { return (item, id) }
        }
        let json = JSONText(checked: Array(text), valueHash: hash)
        return (FeedItem(id: ExactString(id.string(in: bytes)), json: json), id)
    }

    /// Reads an item that may lack an id, and copies its JSON.
    mutating func itemText(
        in bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> (json: JSONText, id: StringToken?) {
        let (hash, id) = try passItem(in: bytes)
        let text = capture.end(at: index, in: bytes)
        return (JSONText(checked: Array(text), valueHash: hash), id)
    }

    /// Reads an item that may lack an id, and leaves ``capture`` at its end for the caller to copy
    /// it.
    private mutating func passItem(
        in bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> (hash: UInt64, id: StringToken?) {
        let source = bytes.span
        let (start, countBefore) = (index, memberCount)
        capture.begin(at: index)
        var sum: UInt64 = 0
        var id: StringToken?
        var members = try openObject(in: source, depth: 1)
        while let name = try nextMember(in: source, of: &members) {
            let value: UInt64
            if name.hash == hashes.id, name.equals("id", in: bytes) {
                let token = try self.id(in: source)
                value = token.hash
                id = token
            } else {
                if name.hash == hashes.kind, name.equals("kind", in: bytes) {
                    try expectString(in: source)
                }
                value = try self.value(in: source, depth: 1)
            }
            sum &+= hashes.member(name: name.hash, value: value)
        }
        guard memberCount - countBefore <= FeedItem.memberLimit else {
            throw JSONFault(offset: start, problem: .tooManyMembers(limit: FeedItem.memberLimit))
        }
        return (hashes.object(sum: sum), id)
    }

    /// Reads a string that must be a valid id.
    mutating func id(in source: Span<UInt8>) throws(JSONFault) -> StringToken {
        try expectString(in: source)
        let id = try string(in: source)
        let refusal: String?
        if id.isEscaped {
            let characters = id.unescaped(in: source)[...]
            refusal = characters.span.refusalAsID(from: 0, to: characters.count)
        } else {
            refusal = source.refusalAsID(from: id.start, to: id.end)
        }
        if let refusal { throw JSONFault(offset: id.offset, problem: .refused(refusal)) }
        return id
    }

    /// Throws if the next value is not a string.
    func expectString(in source: Span<UInt8>) throws(JSONFault) {
        guard next(in: source) == UInt8(ascii: "\"") else { throw expected("a string") }
    }
}

extension JSONReader {
    /// Reads a whole document of at most `depth` nested objects and arrays; `read` reads its value.
    static func read<Result>(
        _ bytes: [UInt8],
        depth: Int,
        _ read: (inout JSONReader, ArraySlice<UInt8>) throws(JSONFault) -> Result
    ) throws(DocumentError) -> Result {
        let bytes = bytes[...]
        var reader = JSONReader(depthLimit: depth)
        do throws(JSONFault) {
            let source = bytes.span
            if source.count >= 3, source[0] == 0xef, source[1] == 0xbb, source[2] == 0xbf {
                throw JSONFault(offset: 0, problem: .refused("begins with a byte order mark"))
            }
            reader.skipWhiteSpace(in: source)
            let result = try read(&reader, bytes)
            reader.skipWhiteSpace(in: source)
            guard reader.index == source.count else {
                throw reader.expected("the end of the document")
            }
            return result
        } catch {
            throw error.documentError(in: bytes)
        }
    }

    /// Reads a value and copies it; its outermost object or array counts as depth 1.
    mutating func text(in bytes: ArraySlice<UInt8>) throws(JSONFault) -> JSONText {
        capture.begin(at: index)
        let hash = try value(in: bytes.span, depth: 0)
        return JSONText(checked: Array(capture.end(at: index, in: bytes)), valueHash: hash)
    }

    /// Reads a value as a tree.
    mutating func tree(in bytes: ArraySlice<UInt8>, depth: Int = 0) throws(JSONFault) -> JSONValue {
        let source = bytes.span
        switch next(in: source) {
        case UInt8(ascii: "\""):
            return .string(ExactString(try string(in: source).string(in: bytes)))
        case UInt8(ascii: "{"): return try objectTree(in: bytes, depth: depth + 1)
        case UInt8(ascii: "["): return try arrayTree(in: bytes, depth: depth + 1)
        case let first:
            let start = index
            _ = try value(in: source, depth: depth)
            return switch first {
            case UInt8(ascii: "t"): .bool(true)
            case UInt8(ascii: "f"): .bool(false)
            case UInt8(ascii: "n"): .null
            default: .number(String(decoding: bytes[start..<index], as: UTF8.self))
            }
        }
    }

    private mutating func arrayTree(
        in bytes: ArraySlice<UInt8>,
        depth: Int
    ) throws(JSONFault) -> JSONValue {
        var elements: [JSONValue] = []
        try openArray(in: bytes.span, depth: depth)
        while try nextElement(in: bytes.span, isFirst: elements.isEmpty) {
            elements.append(try tree(in: bytes, depth: depth))
        }
        return .array(elements)
    }

    private mutating func objectTree(
        in bytes: ArraySlice<UInt8>,
        depth: Int
    ) throws(JSONFault) -> JSONValue {
        var entries: [JSONValue.Entry] = []
        var members = try openObject(in: bytes.span, depth: depth)
        while let name = try nextMember(in: bytes.span, of: &members) {
            let value = try tree(in: bytes, depth: depth)
            entries.append(JSONValue.Entry(name: ExactString(name.string(in: bytes)), value: value))
        }
        return .object(entries)
    }
}

/// Copies a part of a document without the white space between its tokens.
struct JSONCapture {
    /// The part up to `start` without white space.
    private var buffer: [UInt8] = []
    /// The index of the first byte that is not in `buffer`; `nil`: no part has begun.
    private var start: Int?

    /// Begins a part.
    mutating func begin(at index: Int) {
        start = index
        buffer.removeAll(keepingCapacity: true)
    }

    /// Copies the bytes before white space.
    mutating func leaveOut(_ gap: Range<Int>, of source: Span<UInt8>) {
        guard let start else { return }
        let part = source.extracting(start..<gap.lowerBound)
        unsafe part.withUnsafeBufferPointer { unsafe buffer += $0 }
        self.start = gap.upperBound
    }

    /// Ends the part, and returns it without white space; it is copied only if it has any.
    mutating func end(at index: Int, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes[(start ?? index)..<index]
        start = nil
        guard !buffer.isEmpty else { return rest }
        buffer += rest
        return buffer[...]
    }
}
