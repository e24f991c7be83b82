extension FeedItem {
    /// Returns the edit that turns the members of `old` into those of this item.
    ///
    /// Unchanged members are only compared: no copies are made of them.
    package func edit(from old: FeedItem) -> Changes.MemberEdit {
        guard let before = old.plainMembers, let after = plainMembers else {
            return members.edit(from: old.members)
        }
        let (oldBytes, newBytes) = (old.json.bytes[...], json.bytes[...])
        var edit = Changes.MemberEdit()
        var stays = [Bool](repeating: false, count: before.count)
        for (number, member) in after.enumerated() {
            let name = newBytes[member.name.start..<member.name.end]
            func isNamedAlike(_ other: ItemMember) -> Bool {
                other.name.hash == member.name.hash
                    && oldBytes[other.name.start..<other.name.end] == name
            }
            // The members are mostly in the same order.
            let found =
                number < before.count && isNamedAlike(before[number])
                ? number : before.firstIndex(where: isNamedAlike)
            if let found {
                stays[found] = true
                let (was, isNow) = (oldBytes[before[found].value], newBytes[member.value])
                if before[found].hash == member.hash {
                    if was == isNow { continue }
                    // The value may be equal, but written in another way.
                    let text = JSONText(checked: Array(was), valueHash: member.hash)
                    if text == member.text(in: newBytes) { continue }
                }
            }
            let id = ExactString(member.name.string(in: newBytes))
            edit.set.append(Member(name: id, value: member.text(in: newBytes)))
        }
        for (member, stays) in zip(before, stays) where !stays {
            edit.unset.append(ExactString(member.name.string(in: oldBytes)))
        }
        return edit
    }

    /// The members in order; `nil` if there are too many for a linear search, or if a name has
    /// escapes.
    private var plainMembers: [ItemMember]? {
        var list: [ItemMember] = []
        list.reserveCapacity(8)
        var isPlain = true
        forEachMember { name, value, hash in
            if name.isEscaped || list.count == 32 { isPlain = false }
            if isPlain { list.append(ItemMember(name: name, value: value, hash: hash)) }
        }
        return isPlain ? list : nil
    }
}

/// The ranges of a member in an item's JSON.
private struct ItemMember {
    let name: StringToken
    let value: Range<Int>
    let hash: UInt64

    func text(in bytes: ArraySlice<UInt8>) -> JSONText {
        JSONText(checked: Array(bytes[value]), valueHash: hash)
    }
}
