/// Why edits were refused, all of them.
package struct EditFailure: Error, Equatable {
    /// One case per answer that a caller may give.
    package enum Kind: Sendable, Equatable {
        /// The item or section to change is not there.
        case notFound
        /// An item or section to insert is there already.
        case exists
        /// The position is not there, or `section` and `before` or `after` name different sections.
        case wrongPosition
        /// The result has more items than a feed may have.
        case tooManyItems
        /// The edits would rewrite more bytes than are allowed.
        case tooMuchWork
    }

    /// The number of the edit, from 0; the last one when the result has too many items.
    package let index: Int

    package let kind: Kind

    /// What was wrong, in words, with the ids.
    package let reason: String

    /// Makes a failure.
    package init(index: Int, kind: Kind, reason: String) {
        self.index = index
        self.kind = kind
        self.reason = reason
    }
}
