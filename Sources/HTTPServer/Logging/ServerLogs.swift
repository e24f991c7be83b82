package import Logging

/// Where a server says what happens to it.
package struct ServerLogs: Sendable {
    /// What an operator should know.
    package var logger: Logger
    /// A line for every answer; nil: none is kept.
    package var access: AccessLog?

    /// Logs that say nothing, unless told otherwise.
    package init(
        logger: Logger = Logger(label: "freshet", factory: { _ in SwiftLogNoOpLogHandler() }),
        access: AccessLog? = nil
    ) {
        self.logger = logger
        self.access = access
    }
}
