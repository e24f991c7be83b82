/// A JSON value as a tree, for JSON Patch (RFC 6902), JSON Merge Patch (RFC 7396) and edits.
///
/// Numbers keep their spelling, and members keep their order.
package enum JSONValue: Sendable {
    /// A member of an object.
    package struct Entry: Sendable {
        /// The name, which is unique in its object.
        package var name: ExactString
        package var value: JSONValue

        /// Makes a member.
        package init(name: ExactString, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    case object([Entry])
    case array([JSONValue])
    case string(ExactString)
    /// A number as it was spelled.
    case number(String)
    case bool(Bool)
    case null
}

extension JSONValue: Equatable {
    /// Returns whether the values are equal by the rules of docs/PROTOCOL.md, "Ids and values":
    /// members in any order, numbers by spelling.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left.utf8.elementsEqual(right.utf8)
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Returns whether two objects are equal.
    ///
    /// Names are unique in an object, so objects of the same size are equal if each member of one
    /// is in the other.
    private static func areEqual(_ left: [Entry], _ right: [Entry]) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ $0.name == $1.name }) {
            return zip(left, right).allSatisfy { $0.value == $1.value }
        }
        let positions = right.positionsByName
        return left.allSatisfy { entry in
            positions[entry.name].map { entry.value == right[$0].value } ?? false
        }
    }
}

extension [JSONValue.Entry] {
    /// The index of each member by its name.
    package var positionsByName: [ExactString: Int] {
        Dictionary(zip(map(\.name), indices)) { first, _ in first }
    }

    /// Returns the index of the member with a name, by a linear search.
    package func position(of name: ExactString) -> Int? {
        firstIndex { $0.name == name }
    }
}

extension JSONValue {
    /// The value of a member; `nil`: the object has no such member, or the value is no object.
    package subscript(name: ExactString) -> JSONValue? {
        entries?.first { $0.name == name }?.value
    }

    /// The members of an object; `nil`: the value is none.
    package var entries: [Entry]? {
        if case .object(let entries) = self { entries } else { nil }
    }

    /// The elements of an array; `nil`: the value is none.
    package var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// A string; `nil`: the value is none.
    package var string: String? {
        if case .string(let text) = self { text.string } else { nil }
    }

    /// A number as it was spelled; `nil`: the value is none.
    package var digits: String? {
        if case .number(let digits) = self { digits } else { nil }
    }

    /// Parses a JSON text (RFC 8259) with at most `depth` nested objects and arrays.
    package init(parsing bytes: [UInt8], depth: Int = 80) throws(DocumentError) {
        self = try JSONReader.read(bytes, depth: depth) { reader, bytes throws(JSONFault) in
            try reader.tree(in: bytes)
        }
    }

    /// Makes a tree from a text that a reader has validated.
    package init(_ text: JSONText) {
        var reader = JSONReader(depthLimit: .max)
        do throws(JSONFault) {
            self = try reader.tree(in: text.bytes[...])
        } catch {
            preconditionFailure("a JSONText that is not JSON: \(error)")
        }
    }

    /// The value as JSON text, without white space.
    package var text: JSONText {
        do throws(DocumentError) {
            return try JSONText(parsing: bytes, depth: .max)
        } catch {
            preconditionFailure("a JSONValue that is not JSON: \(error)")
        }
    }

    /// The UTF-8 of ``text``.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.finish()
    }
}
