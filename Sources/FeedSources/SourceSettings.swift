package import FeedFormats
package import FeedModel
package import HTTPTypes

/// What the operator says about the source of a feed.
package struct SourceSettings: Sendable, Equatable {
    /// Where it is.
    package enum Location: Sendable, Equatable {
        /// An address of `http` or `https`.
        case web(String)
        /// A file's path, below ``SourceSettings/folder`` where there is one.
        case file(String)
    }

    package var feed: FeedName
    package var location: Location
    /// The folder that a file must be in, however links lead; `nil`: anywhere, which is for an
    /// operator's own commands alone.
    package var folder: String?
    /// How often it is fetched; `nil`: as its publisher asks and as often as it changes.
    package var every: Duration?
    package var keeping = SourceKeeping.nothing
    /// In place of the source's own title.
    package var title: String?
    /// Whether its host may be inside the machine or a private network.
    package var allowsPrivate = false
    /// Whether a redirect may lead from `https` to `http`.
    package var allowsDowngrade = false
    /// What is sent with each request to its origin, such as Authorization.
    package var fields = HTTPFields()
    package var mapping: JSONMapping?
    package var isSanitizing = true
    /// Whether a hub that it names may push (WebSub).
    package var isSubscribing = true
    /// Bytes of a document, decompressed.
    package var byteLimit = 10 << 20

    package init(feed: FeedName, location: Location) {
        self.feed = feed
        self.location = location
    }
}
