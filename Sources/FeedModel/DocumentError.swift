/// Why a document was refused; the text says what was wrong and where.
public struct DocumentError: Error, Equatable, Sendable {
    /// One case per answer on the wire.
    public enum Kind: Sendable, Equatable {
        /// Not JSON, not of the form that is asked for, or with an id that no item can have.
        case malformed
        /// An id that stands twice.
        case duplicateID
        /// More items than a feed may have.
        case tooManyItems
    }

    /// What the answer depends on.
    public let kind: Kind

    /// The position, as a path of members and indices (`sections[2].items[7].id`); empty for the
    /// document itself.
    public let path: String

    /// What was wrong there, in words.
    public let reason: String

    /// Makes an error.
    public init(kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }
}
