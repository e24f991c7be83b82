package import FeedModel

/// Taking apart a value of unknown form; each property is `nil` for another kind of value.
extension JSONValue {
    var entries: [Entry]? {
        guard case .object(let entries) = self else { return nil }
        return entries
    }

    var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text.string
    }

    /// The spelling of a number.
    var digits: String? {
        guard case .number(let digits) = self else { return nil }
        return digits
    }

    /// A whole number, spelled as one.
    var integer: Int? { digits.flatMap { Int($0) } }

    var isTrue: Bool {
        guard case .bool(true) = self else { return false }
        return true
    }

    var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The value of a member.
    subscript(name: ExactString) -> JSONValue? { entries?[name] }

    /// JSON on one line, cut where it is long.
    var spelled: String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.count > 200 ? text.prefix(199) + "…" : text
    }
}

extension [JSONValue.Entry] {
    /// The value of a member; setting `nil` removes it.
    package subscript(name: ExactString) -> JSONValue? {
        get { position(of: name).map { self[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let index?, let value?): self[index].value = value
            case (let index?, nil): remove(at: index)
            case (nil, let value?): append(JSONValue.Entry(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}
