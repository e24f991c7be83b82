package import FeedModel

extension Snapshot {
    /// The document of a `PUT` of this snapshot as a tree, for JSON Patch.
    package var tree: JSONValue {
        var entries = members.entries
        let sections = sections.map { section in
            let items = section.items.map { JSONValue($0.json) }
            let id = JSONValue.Entry(name: "id", value: .string(section.id))
            let list = JSONValue.Entry(name: "items", value: .array(items))
            return JSONValue.object([id] + section.members.entries + [list])
        }
        entries.append(JSONValue.Entry(name: "sections", value: .array(sections)))
        return .object(entries)
    }
}

extension Members {
    fileprivate var entries: [JSONValue.Entry] {
        list.map { JSONValue.Entry(name: $0.name, value: JSONValue($0.value)) }
    }
}
