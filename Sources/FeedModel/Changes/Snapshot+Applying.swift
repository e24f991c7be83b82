extension Snapshot {
    /// Returns this snapshot with `changes` applied as in docs/READING.md, without the check of
    /// count and order.
    ///
    /// - Parameter changes: The changes from this version to another.
    /// - Returns: The other version.
    /// - Throws: ``ChangesError`` if they name elements that do not exist, insert existing ones,
    ///   set members that belong to the protocol, or name an impossible position.
    public func applying(_ changes: Changes) throws -> Snapshot {
        try changes.feed.refuseReserved(ReservedMembers.feed)
        if let next = try applyingInPlace(changes) { return next }
        var application = ChangeApplication(sections: sections)
        try application.takeOutItems(changes)
        try application.changeSections(changes)
        try application.putInItems(changes)
        try application.updateSections(changes.updatedSections)
        try application.updateItems(changes)
        return Snapshot(members: members.applying(changes.feed), sections: application.sections)
    }
}
