import Logging
import Synchronization

/// Logs the origins whose pages were refused, each once.
final class RefusedOrigins: Sendable {
    private let logger: Logger
    private let known = Mutex<Set<String>>([])

    /// The most origins that the log names, since a client can send any number.
    static let limit = 100

    /// The most characters of an origin that the log shows; no page has a longer one.
    private static let lengthLimit = 300

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs an origin, unless it was logged before.
    func note(_ origin: String) {
        let origin = String(origin.prefix(Self.lengthLimit))
        let isNew = known.withLock { $0.count < Self.limit && $0.insert(origin).inserted }
        guard isNew else { return }
        logger.warning(
            "a page of another origin was refused; allowed-origins in the file allows it",
            metadata: ["origin": "\(origin)"]
        )
    }
}
