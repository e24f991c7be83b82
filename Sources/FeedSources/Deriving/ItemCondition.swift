package import FeedModel

/// A condition that items must meet to be in a derived feed, or to be taken from a source.
package indirect enum ItemCondition: Sendable, Equatable {
    /// A value as a configuration writes it.
    package enum Value: Sendable, Equatable {
        case text(String)
        case number(DecimalNumber)
        case bool(Bool)
        /// The member is missing, or it is `null`.
        case nothing
    }

    case all([ItemCondition])
    case any([ItemCondition])
    case not(ItemCondition)
    /// The value is one of these.
    case equal(MemberPath, [Value])
    /// A text contains this text, or a list has this element; the case of letters does not matter.
    case contains(MemberPath, Value)
    /// The value comes before the key: an earlier time, a smaller number, or a text that is sorted
    /// before.
    case before(MemberPath, SortKey)
    case after(MemberPath, SortKey)

    /// The names of the members that the condition reads.
    var names: [ExactString] {
        switch self {
        case .all(let list), .any(let list): list.flatMap(\.names)
        case .not(let condition): condition.names
        case .equal(let path, _), .contains(let path, _), .before(let path, _), .after(let path, _):
            [path.name]
        }
    }

    /// Returns whether the condition holds for an item.
    package func holds(for item: FeedItem) -> Bool { holds(for: item.values(of: names)) }

    /// Returns whether the condition holds for an item, given its values of ``names``.
    func holds(for values: [ExactString: JSONText]) -> Bool {
        switch self {
        case .all(let list): list.allSatisfy { $0.holds(for: values) }
        case .any(let list): list.contains { $0.holds(for: values) }
        case .not(let condition): !condition.holds(for: values)
        case .equal(let path, let list):
            list.contains { [value = path.value(in: values)] in $0.equals(value) }
        case .contains(let path, let part): part.isPart(of: path.value(in: values))
        case .before(let path, let key): bounded(path, values).isBefore(key)
        case .after(let path, let key): key.isBefore(bounded(path, values))
        }
    }

    /// Returns the value that is compared with a bound; `true` and `false` are sorted as numbers,
    /// but are not numbers.
    private func bounded(_ path: MemberPath, _ values: [ExactString: JSONText]) -> SortKey {
        let value = path.value(in: values)
        if case .bool = value { return .none }
        return SortKey(value)
    }
}

extension ItemCondition.Value {
    fileprivate func equals(_ value: JSONValue?) -> Bool {
        switch (self, value) {
        case (.nothing, nil), (.nothing, .null): true
        case (.text(let text), .string(let other)): ExactString(text) == other
        case (.number(let number), .number(let spelling)): DecimalNumber(spelling) == number
        case (.bool(let isTrue), .bool(let other)): isTrue == other
        default: false
        }
    }

    fileprivate func isPart(of value: JSONValue?) -> Bool {
        switch value {
        case .string(let whole):
            guard case .text(let part) = self else { return false }
            return whole.string.lowercased().utf8.firstRange(of: part.lowercased().utf8) != nil
        case .array(let elements):
            return elements.contains { element in
                guard case .text(let text) = self, case .string(let other) = element else {
                    return equals(element)
                }
                return text.lowercased().utf8.elementsEqual(other.string.lowercased().utf8)
            }
        default: return false
        }
    }
}
