import Logging
import Synchronization

/// The origins whose pages may not read from this server, each of which the log tells once.
final class RefusedOrigins: Sendable {
    private let logger: Logger
    private let known = Mutex<Set<String>>([])

    /// The most origins that are told, since anyone can send any.
    static let limit = 100

    /// The most characters of an origin that are told; no page has a longer one.
    private static let lengthLimit = 300

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Tells of an origin, unless it was told before.
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
