extension DocumentError: CustomStringConvertible {
    /// The position and the reason.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

/// The reason why a document was refused, with its position.
public struct DocumentError: Error, Equatable, Sendable {
    /// The kinds of error, one for each answer on the wire.
    public enum Kind: Sendable, Equatable {
        /// The document is not JSON, not of the required form, or has an id that no item can have.
        case malformed
        /// The document has an id twice.
        case duplicateID
        /// The document has more items than a feed may have.
        case tooManyItems
    }

    /// The position of a value in the bytes of a document.
    public struct Place: Equatable, Sendable {
        /// The path to the value as a JSON Pointer (RFC 6901); empty for the document itself.
        public let pointer: String

        /// The index from 0 of the value's first byte; for a document that ends too early, the
        /// number of its bytes.
        public let offset: Int

        /// The number, from 1, of the line with the byte at ``offset``.
        public let line: Int
    }

    /// The kind of error, which determines the answer.
    public let kind: Kind

    /// The position as a path of members and indices (`sections[2].items[7].id`); empty for the
    /// document itself.
    public let path: String

    /// The description of the error; it ends with the byte and the line where parsing stopped, if
    /// known.
    public var reason: String {
        guard case .at(let offset, let line) = stop else { return words }
        return "\(words) at byte \(offset) (line \(line))"
    }

    /// The reason without the position where parsing stopped.
    private let words: String

    private let stop: Stop

    /// The position in the document's bytes; `nil` if they were not available (`located(in:)`).
    public let place: Place?

    /// Makes an error.
    public init(kind: Kind, path: String, reason: String, place: Place? = nil) {
        self.init(kind: kind, path: path, words: reason, .untold, place)
    }

    /// The position where parsing stopped, in the form in which the reason states it.
    enum Stop: Equatable, Sendable {
        /// The reason states no position.
        case untold
        /// The reason states the byte and the line.
        case at(offset: Int, line: Int)
        /// The error is at the start of the value, in a document whose bytes are not available.
        case atValue
    }

    /// Makes an error whose reason may state where parsing stopped.
    init(kind: Kind, path: String, words: String, _ stop: Stop, _ place: Place?) {
        self.kind = kind
        self.path = path
        self.words = words
        self.stop = stop
        self.place = place
    }
}

extension DocumentError {
    /// Returns this error for a value at `outer` in another document.
    ///
    /// The value was serialized anew to be parsed, so its byte positions are not those of the other
    /// document.
    package func within(_ outer: String) -> DocumentError {
        DocumentError(
            kind: kind,
            path: JSONPath.join(outer, path),
            words: words,
            stop == .untold ? .untold : .atValue,
            nil
        )
    }

    /// Returns this error with `place` as its position in the document's bytes.
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
