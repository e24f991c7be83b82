/// The position at which an item or a section is inserted.
public enum ItemPlace: Sendable, Hashable {
    /// Before all others.
    case start
    /// After all others.
    case end
    /// Directly before the item or section with this id.
    case before(String)
    /// Directly after the item or section with this id.
    case after(String)

    /// The query parameter or JSON member that states the position.
    var member: (name: String, value: String) {
        switch self {
        case .start: ("at", "start")
        case .end: ("at", "end")
        case .before(let id): ("before", id)
        case .after(let id): ("after", id)
        }
    }
}
