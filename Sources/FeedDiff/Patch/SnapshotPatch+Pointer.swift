import FeedModel

/// Pointers.
extension SnapshotPatch {
    /// What a pointer leads to, or through: the tokens that are left lead on inside that.
    ///
    /// - Parameters:
    ///   - pointer: Where an operation leads.
    ///   - isNew: Whether something is to be put there.
    /// - Returns: That, and the tokens that are left.
    /// - Throws: A fault where it leads to nothing.
    func find(
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchStop) -> (target: Target, rest: ArraySlice<ExactString>) {
        let tokens = pointer.tokens
        guard let first = tokens.first else { throw .needsDocument }
        guard first == "sections" else {
            try checkIsOwnMember(first, pointer, isNew: isNew)
            return (.feedMember(first), tokens.dropFirst())
        }
        guard tokens.count > 1 else { throw .needsDocument }
        let count = snapshot.sections.count
        let section = try index(tokens[1], count: count, pointer, isNew: isNew && tokens.count == 2)
        guard tokens.count > 2 else { return (.section(section), []) }
        try checkIsUsual(section)
        if tokens[2] == "id" { return (.sectionID(section), tokens.dropFirst(3)) }
        guard tokens[2] == "items" else {
            guard !ReservedMembers.section.contains(tokens[2]) else {
                if isNew, tokens.count == 3 { throw .needsDocument }
                throw .fault(JSONPointerFault.nothing.named(pointer))
            }
            return (.sectionMember(section, tokens[2]), tokens.dropFirst(3))
        }
        guard tokens.count > 3 else { throw .needsDocument }
        let row = try index(
            tokens[3],
            count: snapshot.sections[section].items.count,
            pointer,
            isNew: isNew && tokens.count == 4
        )
        return (.item(ItemPosition(section: section, index: row)), tokens.dropFirst(4))
    }

    /// Leaves it to the document to say what becomes of the protocol's own members of a feed.
    private func checkIsOwnMember(
        _ name: ExactString,
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchStop) {
        guard ReservedMembers.feed.contains(name) || name == "collate" else { return }
        // A document has none of the protocol's own members, unless one is added to it.
        if snapshot.members[name] == nil, !isNew || pointer.tokens.count > 1 {
            throw .fault(JSONPointerFault.nothing.named(pointer))
        }
        throw .needsDocument
    }

    /// Leaves it to the document to say what is in a section that it has in another form.
    func checkIsUsual(_ section: Int) throws(PatchStop) {
        guard !unusualSections.isEmpty else { return }
        guard !unusualSections.contains(snapshot.sections[section].id) else {
            throw .needsDocument
        }
    }

    /// The index that a token names, of what is there, or also right behind it.
    func index(
        _ token: ExactString,
        count: Int,
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchStop) -> Int {
        if isNew, token == "-" { return count }
        guard let index = token.pointerIndex, index < count + (isNew ? 1 : 0) else {
            throw .fault(JSONPointerFault.nothing.named(pointer))
        }
        return index
    }
}
