/// A feed's whole state at one version: members of its own, and sections of items.
///
/// A value whose parts are shared with other versions.
public struct Snapshot: Sendable {
    /// All but what belongs to the protocol.
    public var members: Members

    /// In order; their ids differ, and so do the ids of all their items.
    public var sections: [Section]

    /// Makes a snapshot.
    public init(members: Members = Members(), sections: [Section] = []) {
        self.members = members
        self.sections = sections
    }

    /// The number of items in all sections.
    public var count: Int {
        sections.reduce(0) { $0 + $1.items.count }
    }
}
