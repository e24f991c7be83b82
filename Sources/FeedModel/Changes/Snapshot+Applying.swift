extension Snapshot {
    /// This with `changes` applied as docs/PROTOCOL.md says, without the check of count and
    /// order.
    ///
    /// - Parameter changes: What leads from this to another version.
    /// - Returns: The other version.
    /// - Throws: ``ChangesError`` when they name what is not there, bring what is, set what
    ///   belongs to the protocol, or name a position that cannot be.
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
