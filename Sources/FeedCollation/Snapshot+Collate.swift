package import FeedModel

extension Snapshot {
    /// The member and the locale by which the feed's items are collated, from its member `collate`;
    /// `nil`: they are not collated.
    package var collate: (by: ExactString, locale: String)? {
        guard let value = members["collate"], case .object(let entries) = JSONValue(value) else {
            return nil
        }
        var strings: [ExactString: ExactString] = [:]
        for entry in entries {
            guard case .string(let string) = entry.value else { continue }
            strings[entry.name] = string
        }
        guard let by = strings["by"], let locale = strings["locale"] else { return nil }
        return (by, locale.string)
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
