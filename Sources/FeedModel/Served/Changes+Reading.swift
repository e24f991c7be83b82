extension Changes {
    /// Reads the object `changes` of a document (docs/READING.md, "Applying changes").
    ///
    /// Unknown members are ignored.
    ///
    /// - Throws: `DocumentError` with the path of a member that is missing or of the wrong type.
    init(reading value: JSONValue) throws(DocumentError) {
        self.init()
        let groups = try value.object(at: "changes")
        for group in groups {
            let path = "changes.\(group.name)"
            switch group.name {
            case "feed": feed = try MemberEdit(reading: group.value, at: path)
            case "sections": try readSections(group.value, at: path)
            case "items": try readItems(group.value, at: path)
            default: break
            }
        }
    }

    private mutating func readSections(_ group: JSONValue, at path: String) throws(DocumentError) {
        removedSections = try group.elements("remove", at: path) {
            value,
            path throws(DocumentError) in
            try value.string(at: path)
        }
        insertedSections = try group.elements("insert", at: path) {
            value,
            path throws(DocumentError) in
            let section = try value.needed("section", at: path)
            let members = try section.object(at: path + ".section")
                .filter { !MemberRules.section.reserved.contains($0.name) }
                .map { Member(name: $0.name, value: $0.value.text) }
            return SectionInsertion(
                index: try value.neededNumber("index", at: path),
                id: try section.string("id", at: path + ".section"),
                members: Members(members),
                fullCount: try section.number("count", at: path + ".section")
            )
        }
        movedSections = try group.elements("move", at: path) { value, path throws(DocumentError) in
            SectionMove(
                index: try value.neededNumber("index", at: path),
                id: try value.string("id", at: path)
            )
        }
        updatedSections = try group.elements("update", at: path) {
            value,
            path throws(DocumentError) in
            SectionUpdate(
                id: try value.string("id", at: path),
                edit: try MemberEdit(reading: value, at: path),
                fullCount: try value.number("count", at: path)
            )
        }
    }

    private mutating func readItems(_ group: JSONValue, at path: String) throws(DocumentError) {
        removedItems = try group.elements("remove", at: path) { value, path throws(DocumentError) in
            try value.string(at: path)
        }
        insertedItems = try group.elements("insert", at: path) {
            value,
            path throws(DocumentError) in
            ItemInsertion(
                section: try value.string("section", at: path),
                index: try value.neededNumber("index", at: path),
                item: try FeedItem(made: value.needed("item", at: path).bytes, path: path + ".item")
            )
        }
        movedItems = try group.elements("move", at: path) { value, path throws(DocumentError) in
            ItemMove(
                section: try value.string("section", at: path),
                index: try value.neededNumber("index", at: path),
                id: try value.string("id", at: path)
            )
        }
        updatedItems = try group.elements("update", at: path) { value, path throws(DocumentError) in
            ItemUpdate(
                id: try value.string("id", at: path),
                edit: try MemberEdit(reading: value, at: path)
            )
        }
    }
}

extension Changes.MemberEdit {
    fileprivate init(reading value: JSONValue, at path: String) throws(DocumentError) {
        self.init()
        if let members = value["set"] {
            set = try members.object(at: path + ".set")
                .map { Member(name: $0.name, value: $0.value.text) }
        }
        unset = try value.elements("unset", at: path) { value, path throws(DocumentError) in
            try value.string(at: path)
        }
    }
}
