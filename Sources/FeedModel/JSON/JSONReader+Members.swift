extension JSONReader {
    /// Reads `{` and the white space before the first member; if there is none, the whole object.
    mutating func openObject(
        in source: Span<UInt8>,
        depth: Int
    ) throws(JSONFault) -> MemberNames.Object {
        guard next(in: source) == UInt8(ascii: "{") else { throw expected("an object") }
        try check(depth)
        index += 1
        skipWhiteSpace(in: source)
        let isOpen = next(in: source) != UInt8(ascii: "}")
        if !isOpen { index += 1 }
        return names.open(hasMembers: isOpen)
    }

    /// Reads a member's name, the colon and the white space up to its value.
    mutating func memberName(
        in source: Span<UInt8>,
        of object: inout MemberNames.Object
    ) throws(JSONFault) -> StringToken {
        guard next(in: source) == UInt8(ascii: "\"") else {
            throw expected("the name of a member")
        }
        let name = try string(in: source)
        guard names.insert(name, to: &object, in: source) else { throw try repeated(in: source) }
        memberCount += 1
        skipWhiteSpace(in: source)
        guard next(in: source) == UInt8(ascii: ":") else { throw expected("“:”") }
        index += 1
        skipWhiteSpace(in: source)
        return name
    }

    /// Returns the fault for a repeated name, at the member's value.
    private mutating func repeated(in source: Span<UInt8>) throws(JSONFault) -> JSONFault {
        skipWhiteSpace(in: source)
        guard next(in: source) == UInt8(ascii: ":") else { throw expected("“:”") }
        index += 1
        skipWhiteSpace(in: source)
        return JSONFault(offset: index, problem: .duplicateMember)
    }

    /// Reads the comma or bracket after a member's value.
    mutating func closeMember(
        in source: Span<UInt8>,
        of object: inout MemberNames.Object
    ) throws(JSONFault) {
        skipWhiteSpace(in: source)
        switch next(in: source) {
        case UInt8(ascii: ","):
            index += 1
            skipWhiteSpace(in: source)
        case UInt8(ascii: "}"):
            index += 1
            names.close(&object)
        default: throw expected("“,” or “}”")
        }
    }
}
