/// The status of a feed's source, as callers that may write the feed see it.
package struct SourceReport: Sendable, Equatable {
    /// The address or the path of the source.
    package let location: String
    /// The time of the last successful fetch, in seconds since 1970; 0: never.
    package let succeeded: Int
    /// The failure of the last fetch, in words; `nil` if it succeeded.
    package let error: String?
    /// The kind of the failure, in a word.
    package let reason: String?
    /// The number of fetches in a row that failed.
    package let failureCount: Int
    /// Remarks about unusual parts of the last document, in words.
    package let notes: [String]
    /// The time of the next fetch, in seconds since 1970; `nil` if none is planned.
    package let next: Int?
    /// The subscription to the source's hub; `nil` without one.
    package let push: Push?

    /// A subscription to a hub; times in seconds since 1970.
    package struct Push: Sendable, Equatable {
        package let hub: String
        /// The time until which the hub pushes; 0: it has not confirmed the subscription.
        package let until: Int
        /// The time of the last push; 0: never.
        package let last: Int
        /// The number of changes in a row that the hub did not push.
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
