/// Why changes do not fit what they were applied to; the snapshot is then to be fetched anew.
public struct ChangesError: Error, Equatable, Sendable {
    /// What did not fit, in words.
    public let reason: String
}
