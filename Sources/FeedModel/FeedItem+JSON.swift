extension FeedItem: Equatable {
    /// The same id and an equal value.
    public static func == (left: FeedItem, right: FeedItem) -> Bool {
        left === right || left.id == right.id && left.json == right.json
    }
}

extension FeedItem {
    fileprivate struct RawMember {
        let member: Member
        /// The name in quotes, as it was spelled.
        let name: ArraySlice<UInt8>
    }

    /// The object's members in their order, `id` included.
    package var members: Members {
        Members(rawMembers.map(\.member))
    }

    /// Whether it has no more than ``memberLimit`` members.
    package var isWithinMemberLimit: Bool {
        // The shortest member and its comma have five bytes.
        guard json.bytes.count > 5 * FeedItem.memberLimit else { return true }
        return (try? FeedItem(parsing: json.bytes)) != nil
    }

    /// The item after an edit; other bytes are kept as they are.
    ///
    /// `id` stays whatever the edit says of it.
    package func applying(_ edit: Changes.MemberEdit) -> FeedItem {
        let old = rawMembers
        let spellings = Dictionary(old.map { ($0.member.name, $0.name) }) { first, _ in first }
        let edit = Changes.MemberEdit(
            set: edit.set.filter { $0.name != "id" },
            unset: edit.unset.filter { $0 != "id" }
        )
        let new = Members(old.map(\.member)).applying(edit)
        return FeedItem(id: id, members: new, spellings: spellings)
    }

    private convenience init(
        id: ExactString,
        members: Members,
        spellings: [ExactString: ArraySlice<UInt8>]
    ) {
        let hashes = ValueHash.shared
        var sum: UInt64 = 0
        var bytes = [UInt8(ascii: "{")]
        for member in members.list {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            if let spelling = spellings[member.name] {
                bytes.append(contentsOf: spelling)
            } else {
                bytes.append(jsonString: member.name.string)
            }
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: member.value.bytes)
            sum &+= hashes.member(
                name: hashes.string(member.name),
                value: member.value.valueHash
            )
        }
        bytes.append(UInt8(ascii: "}"))
        self.init(id: id, json: JSONText(checked: bytes, valueHash: hashes.object(sum: sum)))
    }

    private var rawMembers: [RawMember] {
        var reader = JSONReader(depthLimit: .max)
        do throws(JSONFault) {
            return try reader.rawMembers(in: json.bytes[...])
        } catch {
            preconditionFailure("an item that is not JSON: \(error)")
        }
    }
}

extension JSONReader {
    fileprivate mutating func rawMembers(
        in bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> [FeedItem.RawMember] {
        var list: [FeedItem.RawMember] = []
        var members = try openObject(in: bytes.span, depth: 1)
        while members.isOpen {
            let name = try memberName(in: bytes.span, of: &members)
            let member = Member(
                name: ExactString(name.string(in: bytes)),
                value: try text(in: bytes)
            )
            list.append(FeedItem.RawMember(member: member, name: bytes[name.start - 1...name.end]))
            try closeMember(in: bytes.span, of: &members)
        }
        return list
    }
}
