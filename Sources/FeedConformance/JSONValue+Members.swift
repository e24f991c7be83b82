package import FeedModel

extension JSONValue {
    /// A number that is spelled as an integer.
    var integer: Int? { digits.flatMap { Int($0) } }

    var isTrue: Bool {
        guard case .bool(true) = self else { return false }
        return true
    }

    var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The value as JSON, shortened to 200 characters.
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
