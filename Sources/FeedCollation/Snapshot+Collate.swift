import FeedDiff
package import FeedModel

extension Snapshot {
    /// Returns the feed with its items where its member `collate` puts them.
    ///
    /// An item that an edit inserted at the end thus follows the items that it ties with. A feed
    /// without the member, or with an unknown locale, stays as it is.
    package func collated() -> Snapshot {
        guard let collate, let collation = IndexedCollation(locale: collate.locale) else {
            return self
        }
        return collation.recollate(self, by: collate.by)
    }
}
