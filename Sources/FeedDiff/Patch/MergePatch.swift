package import FeedModel

/// A JSON Merge Patch (RFC 7396).
package enum MergePatch {
    /// Returns the target with the patch merged in (RFC 7396 §2).
    ///
    /// A `null` removes a member, an object is merged, and any other value replaces the present
    /// one. Members that stay keep their position.
    package static func apply(_ patch: JSONValue, to target: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        guard case .object(let old) = target else { return merge(changes, into: []) }
        return merge(changes, into: old)
    }

    private static func merge(
        _ changes: [JSONValue.Entry],
        into old: [JSONValue.Entry]
    ) -> JSONValue {
        let positions = old.positionsByName
        var entries = old.map(Optional.some)
        for change in changes {
            let position = positions[change.name]
            if case .null = change.value {
                if let position { entries[position] = nil }
            } else if let position {
                entries[position]?.value = apply(change.value, to: old[position].value)
            } else {
                let value = apply(change.value, to: .null)
                entries.append(JSONValue.Entry(name: change.name, value: value))
            }
        }
        return .object(entries.compactMap { $0 })
    }
}
