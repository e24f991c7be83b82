/// What an operator sees of a source.
package struct SourceStatus: Sendable, Equatable {
    /// Its address without what may be secret, or the file's path.
    package var location: String
    /// When it was last read or the same, seconds since 1970; 0: never.
    package var succeeded: Int
    package var error: String?
    /// What kind of failure that was: ``SourceFailure/Reason``.
    package var reason: String?
    package var failureCount: Int
    /// What was odd about its last document, in words.
    package var notes: [String] = []
    /// When it is tried next; `nil`: not before somebody asks for it.
    package var next: Int?
    /// The subscription to its hub; `nil`: it names none, or there is no public address.
    package var push: PushSubscription?
}
