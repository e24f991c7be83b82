import FeedModel
import HTTPWire

/// Names one answer about the current version of a feed.
struct AnswerKey: Hashable, Sendable {
    /// Which document it is.
    enum Kind: Hashable, Sendable {
        case snapshot
        case snapshotForEpoch
        case snapshotForExpired
        case unchanged
        /// Since this version of the same epoch; sometimes the document is a snapshot.
        case changes(since: Int)
        /// An RFC 6902 patch since this version of the same epoch; 0: since none.
        case patch(since: Int)
        case outline
    }

    var kind: Kind
    var view = View()
    var coding = CodingChoice.identity
    var origin: CORS.Origin = nil
}
