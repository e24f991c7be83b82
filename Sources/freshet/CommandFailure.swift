/// The reason why a command ends before its work is done: the words for standard error and the
/// status.
struct CommandFailure: Error, Equatable {
    /// The status of wrong usage, a wrong configuration, and a document that is wrong.
    static let usageStatus: Int32 = 2
    /// The status of every other failure.
    static let otherStatus: Int32 = 1

    let message: String
    let status: Int32

    /// Returns the failure of a command line that asks for something impossible.
    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(message: message, status: usageStatus)
    }

    /// Returns the failure of a command that did not work out.
    static func other(_ message: String) -> CommandFailure {
        CommandFailure(message: message, status: otherStatus)
    }
}
