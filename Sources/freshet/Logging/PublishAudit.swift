import FeedAPI
import FeedModel
import Logging

/// The lines of the log about publishes and the keys that they came with.
enum PublishAudit {
    /// Writes the line of a publish: at the level `debug` where nothing was changed, and as a
    /// warning where the feed's guard refused it.
    static func log(_ record: PublishRecord, _ logger: Logger) {
        var metadata: Logger.Metadata = [
            "feed": "\(record.feed)", "method": "\(record.method)",
            "key": "\(record.keyName ?? "digest \(record.keyDigest)")",
        ]
        if let previous = record.previous { metadata["since"] = "\(previous)" }
        if let token = record.token { metadata["token"] = "\(token)" }
        if let trace = record.traceID { metadata["trace_id"] = "\(trace)" }
        if let refusal = record.refusal {
            metadata["reason"] = "\(refusal)"
            logger.warning("a feed's guard refused a publish", metadata: metadata)
            return
        }
        if let forgotten = record.forgotten {
            metadata["version"] = "\(forgotten)"
            logger.info("a version was forgotten", metadata: metadata)
            return
        }
        if let restored = record.restored { metadata["version"] = "\(restored)" }
        guard record.token != nil else {
            logger.info("a feed was deleted", metadata: metadata)
            return
        }
        guard record.isChanged else {
            logger.debug("a publish changed nothing", metadata: metadata)
            return
        }
        let items = record.counts.items
        metadata["inserted"] = .stringConvertible(items.inserted)
        metadata["removed"] = .stringConvertible(items.removed)
        metadata["moved"] = .stringConvertible(items.moved)
        metadata["updated"] = .stringConvertible(items.updated)
        let words = record.restored == nil ? "a feed was published" : "a feed was taken back"
        logger.info("\(words)", metadata: metadata)
    }
}
