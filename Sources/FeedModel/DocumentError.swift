extension DocumentError: CustomStringConvertible {
    /// Where what was wrong, in words.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

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

    /// What was wrong there, in words; where reading stopped, they end with the byte and the line.
    public var reason: String {
        guard case .at(let offset, let line) = stop else { return words }
        return "\(words) at byte \(offset) (line \(line))"
    }

    /// The reason but for where reading stopped.
    private let words: String

    /// Where reading stopped.
    private let stop: Stop

    /// The same position in the document's bytes; `nil` where these were not at hand
    /// (`located(in:)`).
    public let place: Place?

    /// Makes an error.
    public init(kind: Kind, path: String, reason: String, place: Place? = nil) {
        self.init(kind: kind, path: path, words: reason, .untold, place)
    }

    /// Where reading stopped, as far as the reason tells it.
    enum Stop: Equatable, Sendable {
        /// The words say all.
        case untold
        case at(offset: Int, line: Int)
        /// Where the value begins, in a document that is not at hand.
        case atValue
    }

    /// Makes an error whose reason may tell where reading stopped.
    init(kind: Kind, path: String, words: String, _ stop: Stop, _ place: Place?) {
        self.kind = kind
        self.path = path
        self.words = words
        self.stop = stop
        self.place = place
    }
}

extension DocumentError {
    /// The same error of a value that stands at `outer` in another document, and was written anew
    /// to be read: where it began there is not where it begins here.
    package func within(_ outer: String) -> DocumentError {
        DocumentError(
            kind: kind,
            path: JSONPath.join(outer, path),
            words: words,
            stop == .untold ? .untold : .atValue,
            nil
        )
    }

    /// The same error at its place in the document.
    func at(_ place: Place) -> DocumentError {
        let isUntold = stop == .untold
        return DocumentError(
            kind: kind,
            path: path,
            words: words,
            isUntold ? .untold : .at(offset: place.offset, line: place.line),
            place
        )
    }
}
