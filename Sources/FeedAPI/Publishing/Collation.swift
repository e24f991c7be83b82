import FeedCollation
import FeedDiff
import FeedModel
import FeedStore

// The server sorts and groups the items of a feed that has the member `collate`
// (docs/PROTOCOL.md, "Collation").

extension IndexedCollation {
    /// Returns the sort order of a locale.
    ///
    /// - Throws: ``DocumentError`` for a locale that is not known.
    fileprivate static func of(_ locale: String) throws(DocumentError) -> IndexedCollation {
        if let collation = IndexedCollation(locale: locale) { return collation }
        throw DocumentError(
            kind: .malformed,
            path: "collate.locale",
            reason: isAvailable
                ? "the locale “\(locale)” is not known" : "this server cannot sort by locale"
        )
    }
}

extension Snapshot {
    /// Returns the feed with its items sorted and grouped as its member `collate` says; without the
    /// member, the feed as it is.
    ///
    /// - Parameter old: The feed before the edits, whose items need not be sorted again; `nil`: all
    ///   items are sorted.
    /// - Throws: ``DocumentError`` for a locale that is not known.
    func collated(after old: Snapshot?) throws(DocumentError) -> Snapshot {
        guard let collate else { return self }
        let collation = try IndexedCollation.of(collate.locale)
        guard let old, old.collate == collate else {
            return collation.recollate(self, by: collate.by)
        }
        return collation.recollate(self, after: old, by: collate.by)
    }

    /// Returns the edits to apply to this feed in the place of the edits of a request.
    ///
    /// For a collated feed the positions in the edits are ignored, because its items are sorted
    /// after the last edit; for other feeds nothing changes.
    ///
    /// - Throws: ``EditFailure`` for an edit of a collated feed's sections, and for an edit of
    ///   `collate`, which only a whole document may set.
    func applicable(_ edits: [Edit]) throws(EditFailure) -> [Edit] {
        let isCollated = collate != nil
        for (index, edit) in edits.enumerated() {
            guard let reason = edit.refusal(isCollated: isCollated) else { continue }
            throw EditFailure(index: index, kind: .wrongPosition, reason: reason)
        }
        return isCollated ? edits.map { $0.withoutPosition(lastSection: sections.last?.id) } : edits
    }
}

extension Edit {
    /// Returns the reason, in words, why the edit is refused because of `collate`; `nil` if it is
    /// accepted.
    fileprivate func refusal(isCollated: Bool) -> String? {
        switch self {
        case .insertSection, .setSection, .moveSection, .removeSection:
            return isCollated ? "the sections of a collated feed are made from its items" : nil
        case .setFeed(let members):
            let names = members.set.map(\.name) + members.unset
            return names.contains("collate") ? "only a whole document sets “collate”" : nil
        case .insert, .put, .set, .replace, .move, .remove:
            return nil
        }
    }

    /// Returns the edit with the end of the last section as its position, so that a new item comes
    /// after the items that sort equal to it.
    fileprivate func withoutPosition(lastSection: ExactString?) -> Edit {
        switch self {
        case .insert(let item, _, _): .insert(item, section: lastSection, at: .end)
        case .put(let item, _, _): .put(item, section: lastSection, at: .end)
        // The item stays where it is, but a missing one must still be an error.
        case .move(let id, _, _): .set(Changes.MemberEdit(), item: id)
        default: self
        }
    }
}
