/// The error with which a ``JSONReader`` stops, in a form that is cheap to make: only
/// ``documentError(in:)`` finds the path to the position.
struct JSONFault: Error {
    enum Problem {
        /// Another token was expected; the noun for it (“a digit”).
        case expected(StaticString)
        /// The token is not allowed; the rest of a sentence about it (“holds half a surrogate
        /// pair”).
        case refused(String)
        /// The object lacks the member with this name.
        case missing(StaticString)
        /// The member has the name of an earlier member of its object.
        case duplicateMember
        /// The id is also at an earlier index of the document.
        case duplicateID(first: Int)
        case tooDeep(limit: Int)
        case tooManyItems(limit: Int)
        case tooManyMembers(limit: Int)
        case tooManyOwnMembers(limit: Int)
    }

    /// The index in the document of the byte at which the fault was found.
    let offset: Int
    /// The index of a byte of the value that the fault is about; the path leads to that value.
    let valueOffset: Int
    let problem: Problem

    /// Makes a fault about the value that contains the byte at `offset`, or at `valueOffset` if
    /// given.
    init(offset: Int, in valueOffset: Int? = nil, problem: Problem) {
        self.offset = offset
        self.valueOffset = valueOffset ?? offset
        self.problem = problem
    }
}

extension JSONFault {
    /// Returns the error as text, with the path of its position in `bytes`.
    func documentError(in bytes: ArraySlice<UInt8>) -> DocumentError {
        var path = JSONPath(of: valueOffset, in: bytes)
        let place = DocumentError.Place(
            pointer: path.pointer,
            offset: path.start,
            line: bytes.line(of: path.start)
        )
        if case .missing(let name) = problem {
            path = path.appending(.member(ExactString("\(name)")))
        }
        return DocumentError(
            kind: kind,
            path: path.text,
            words: words(in: bytes),
            tellsPosition ? .at(offset: offset, line: bytes.line(of: offset)) : .untold,
            place
        )
    }

    private var tellsPosition: Bool {
        switch problem {
        case .expected, .duplicateMember: true
        default: false
        }
    }

    private var kind: DocumentError.Kind {
        switch problem {
        case .duplicateID: .duplicateID
        case .tooManyItems, .tooManyMembers, .tooManyOwnMembers: .tooManyItems
        case .expected, .refused, .missing, .duplicateMember, .tooDeep: .malformed
        }
    }

    private func words(in bytes: ArraySlice<UInt8>) -> String {
        switch problem {
        case .expected(let noun):
            "expected \(noun), found \(found(in: bytes, for: "\(noun)"))"
        case .refused(let reason): reason
        case .missing: "is missing"
        case .duplicateMember: "this member stands twice in its object, its second value"
        case .duplicateID(let first):
            "used twice, first at \(JSONPath(of: first, in: bytes).parent.text)"
        case .tooDeep(let limit):
            "nested deeper than the limit of \(limit) objects and arrays"
        case .tooManyItems(let limit): "a feed may have \(limit) items and no more"
        case .tooManyOwnMembers(let limit): "has more than \(limit) members of its own"
        case .tooManyMembers(let limit):
            "has more than \(limit) members, those of the objects in it included"
        }
    }

    private func found(in bytes: ArraySlice<UInt8>, for noun: String) -> String {
        guard offset < bytes.count else { return "the end" }
        let byte = bytes[offset]
        if noun == "a string", let kind = JSONFault.kind(of: byte) { return kind }
        if 0x21...0x7e ~= byte { return "“\(Unicode.Scalar(byte))”" }
        return "byte 0x" + String(byte, radix: 16, uppercase: true)
    }

    /// Returns the kind of value that begins with a byte; `nil`: a string, or no value.
    private static func kind(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a Boolean"
        case UInt8(ascii: "n"): "null"
        default: nil
        }
    }
}
