package import Logging

/// The logs of a server.
package struct ServerLogs: Sendable {
    /// The logger for messages to the operator.
    package var logger: Logger
    /// The access log, with a line for each response; `nil`: there is none.
    package var access: AccessLog?

    /// Makes logs; without arguments, nothing is logged.
    package init(
        logger: Logger = Logger(label: "freshet", factory: { _ in SwiftLogNoOpLogHandler() }),
        access: AccessLog? = nil
    ) {
        self.logger = logger
        self.access = access
    }
}
