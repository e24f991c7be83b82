import FeedModel

/// Resolution of pointers.
extension SnapshotPatch {
    /// Returns the target that a pointer leads to or through, and the tokens that lead on inside
    /// it.
    ///
    /// - Parameters:
    ///   - pointer: The pointer of an operation.
    ///   - isNew: Whether a value is to be put there.
    /// - Returns: The target, and the remaining tokens.
    /// - Throws: A fault if the pointer leads to no value.
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

    /// Leaves the protocol's own members of a feed to ``DocumentPatch``.
    private func checkIsOwnMember(
        _ name: ExactString,
        _ pointer: JSONPointer,
        isNew: Bool
    ) throws(PatchStop) {
        guard ReservedMembers.feed.contains(name) || name == "collate" else { return }
        // The document has none of the protocol's own members, unless an operation adds one.
        if snapshot.members[name] == nil, !isNew || pointer.tokens.count > 1 {
            throw .fault(JSONPointerFault.nothing.named(pointer))
        }
        throw .needsDocument
    }

    /// Leaves a section in an unusual form to ``DocumentPatch``.
    func checkIsUsual(_ section: Int) throws(PatchStop) {
        guard !unusualSections.isEmpty else { return }
        guard !unusualSections.contains(snapshot.sections[section].id) else {
            throw .needsDocument
        }
    }

    /// Returns the index that a token names; with `isNew`, the index after the last element is
    /// allowed too.
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
