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

    /// What is made of the document.
    enum Form: Hashable, Sendable {
        /// A response.
        case response
        /// A piece of a gzip stream.
        case gzipPart
        /// An event of a stream, without its id and the empty line behind it.
        case event
        /// The same as a piece of a gzip stream.
        case gzipEvent
    }

    var kind: Kind
    var view = FeedView()
    var coding = CodingChoice.identity
    var form = Form.response
    var origin: CORS.Origin = nil
}
