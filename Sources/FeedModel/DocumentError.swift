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

    /// Where something stands in the bytes of a document.
    public struct Place: Equatable, Sendable {
        /// The value, as a JSON Pointer (RFC 6901); empty for the document itself.
        public let pointer: String

        /// The byte at which it begins, from 0; at the end of a document that ends too early, the
        /// number of its bytes.
        public let offset: Int

        /// The line in which that byte stands, from 1.
        public let line: Int

        /// Makes a place.
        public init(pointer: String, offset: Int, line: Int) {
            self.pointer = pointer
            self.offset = offset
            self.line = line
        }
    }

    /// What the answer depends on.
    public let kind: Kind

    /// The position, as a path of members and indices (`sections[2].items[7].id`); empty for the
    /// document itself.
    public let path: String

    /// What was wrong there, in words.
    public let reason: String

    /// The same position in the document's bytes; `nil` where these were not at hand
    /// (`located(in:)`).
    public let place: Place?

    /// Makes an error.
    public init(kind: Kind, path: String, reason: String, place: Place? = nil) {
        self.kind = kind
        self.path = path
        self.reason = reason
        self.place = place
    }
}
