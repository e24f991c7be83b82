/// Where an item or a section is put.
public enum ItemPlace: Sendable, Hashable {
    /// Before all others.
    case start
    /// After all others.
    case end
    /// Right before the one of this id, in its section.
    case before(String)
    /// Right after the one of this id, in its section.
    case after(String)

    /// The parameter or member that says so.
    var member: (name: String, value: String) {
        switch self {
        case .start: ("at", "start")
        case .end: ("at", "end")
        case .before(let id): ("before", id)
        case .after(let id): ("after", id)
        }
    }
}
