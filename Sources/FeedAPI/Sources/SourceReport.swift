/// The status of a feed's source, as callers that may write the feed see it.
package struct SourceReport: Sendable, Equatable {
    package let location: String
    /// Seconds since 1970 when it was last read; 0: never.
    package let succeeded: Int
    package let error: String?
    /// The kind of the failure, in a word.
    package let reason: String?
    package let failureCount: Int
    /// The oddities of its last document, in words.
    package let notes: [String]
    /// When it is tried next.
    package let next: Int?
    /// The subscription to its hub; `nil`: there is none.
    package let push: Push?

    /// A subscription to a hub; times in seconds since 1970.
    package struct Push: Sendable, Equatable {
        package let hub: String
        /// Until when it pushes; 0: it has not said so.
        package let until: Int
        /// When it pushed last; 0: never.
        package let last: Int
        /// Changes in a row that it has not pushed.
        package let missedCount: Int
        package let error: String?

        package init(hub: String, until: Int, last: Int, missedCount: Int, error: String?) {
            self.hub = hub
            self.until = until
            self.last = last
            self.missedCount = missedCount
            self.error = error
        }
    }

    package init(
        location: String,
        succeeded: Int,
        error: String?,
        reason: String? = nil,
        failureCount: Int,
        notes: [String] = [],
        next: Int?,
        push: Push? = nil
    ) {
        self.location = location
        self.succeeded = succeeded
        self.error = error
        self.reason = reason
        self.failureCount = failureCount
        self.notes = notes
        self.next = next
        self.push = push
    }
}
