/// The status of a source, as an operator sees it.
package struct SourceStatus: Sendable, Equatable {
    /// The source's address without its secrets, or the file's path.
    package var location: String
    /// The time at which the source was last read or unchanged, in seconds since 1970; 0: never.
    package var succeeded: Int
    package var error: String?
    /// The kind of the failure in ``error``: a ``SourceFailure/Reason``.
    package var reason: String?
    package var failureCount: Int
    /// The oddities of the source's last document, in words.
    package var notes: [String] = []
    /// The time of the next try; `nil`: not before a refresh is asked for.
    package var next: Int?
    /// The subscription to the source's hub; `nil`: it names none, or there is no public address.
    package var push: PushSubscription?
}
