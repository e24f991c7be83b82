extension JSONReader {
    /// Passes `{` and what follows up to the first member; without one, the object.
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

    /// Passes a member's name and what follows up to its value.
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

    /// The fault of a member whose name was there already, at its value.
    private mutating func repeated(in source: Span<UInt8>) throws(JSONFault) -> JSONFault {
        skipWhiteSpace(in: source)
        guard next(in: source) == UInt8(ascii: ":") else { throw expected("“:”") }
        index += 1
        skipWhiteSpace(in: source)
        return JSONFault(offset: index, problem: .duplicateMember)
    }

    /// Passes what follows a member's value.
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
