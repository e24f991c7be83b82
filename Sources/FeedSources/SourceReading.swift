package import FeedFormats
package import FeedModel

/// Reads what a source gave, and says what becomes of it.
package enum SourceContent: Sendable {
    /// A document of the protocol's own form.
    case document([UInt8])
    /// The next content of a feed, made of what it holds.
    case made(@Sendable (Snapshot?) -> Snapshot)

    /// Content made of a feed that was read.
    ///
    /// - Parameter believesEmpty: Whether a feed loses all its items where there are no entries.
    package init(
        _ feed: SourceFeed,
        _ settings: SourceSettings,
        believesEmpty: Bool = true,
        now: Int
    ) {
        if let document = feed.ownForm {
            self = .document(document)
            return
        }
        var options = SourceSnapshot.Options()
        options.title = settings.title
        options.keeping = settings.keeping
        options.believesEmpty = believesEmpty
        self = .made { [options] current in
            SourceSnapshot.make(
                feed,
                current: current,
                options: options,
                now: FeedDate(seconds: now)
            )
        }
    }
}

extension FeedReader {
    /// A reader for a source.
    package init(_ settings: SourceSettings, address: String, charset: String?) {
        self.init(address: address)
        self.charset = charset
        mapping = settings.mapping
        isSanitizing = settings.isSanitizing
    }
}
