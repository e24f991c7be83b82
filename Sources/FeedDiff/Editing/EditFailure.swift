/// The reason why all edits of a request were refused.
package struct EditFailure: Error, Equatable {
    /// The kinds of failure, one for each answer of a caller.
    package enum Kind: Sendable, Equatable {
        /// The item or section to change does not exist.
        case notFound
        /// An item or section to insert already exists.
        case exists
        /// The position does not exist, or `section` and `before` or `after` name different
        /// sections.
        case wrongPosition
        /// The result has more items than a feed may have.
        case tooManyItems
        /// The edits would rewrite more bytes than allowed.
        case tooMuchWork
    }

    /// The index of the edit, from 0; the last one if the result has too many items.
    package let index: Int

    package let kind: Kind

    /// The description of the failure, with the ids.
    package let reason: String

    /// Makes a failure.
    package init(index: Int, kind: Kind, reason: String) {
        self.index = index
        self.kind = kind
        self.reason = reason
    }
}
