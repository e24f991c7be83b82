package import FeedModel

extension Snapshot {
    /// The member and the locale by which the feed's items are collated, from its member `collate`;
    /// `nil`: they are not collated.
    package var collate: (by: ExactString, locale: String)? {
        let collate = members["collate"].map { JSONValue($0) }
        guard let by = collate?["by"]?.string, let locale = collate?["locale"]?.string else {
            return nil
        }
        return (ExactString(by), locale)
    }

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
