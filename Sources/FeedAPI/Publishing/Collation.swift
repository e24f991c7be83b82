import FeedCollation
import FeedDiff
import FeedModel
import FeedStore

/// Sorts and groups the items of feeds that ask for it by `collate` (docs/PROTOCOL.md,
/// "Collation").
enum Collation {
    /// Returns the snapshot of a document, collated if the document asks for it.
    ///
    /// - Throws: ``DocumentError`` for a locale that is not known.
    static func snapshot(_ document: FeedDocument) throws(DocumentError) -> Snapshot {
        guard let collate = document.collate else { return document.snapshot }
        return try collation(collate.locale).recollate(document.snapshot, by: collate.by)
    }

    private static func collation(_ locale: String) throws(DocumentError) -> IndexedCollation {
        if let collation = IndexedCollation(locale: locale) { return collation }
        throw DocumentError(
            kind: .malformed,
            path: "collate.locale",
            reason: IndexedCollation.isAvailable
                ? "the locale “\(locale)” is not known" : "this server cannot sort by locale"
        )
    }

    /// Sorts and groups the items of a feed as its member `collate` says.
    ///
    /// - Parameters:
    ///   - snapshot: The feed after edits.
    ///   - old: The feed before, whose items need not be sorted again.
    /// - Returns: The collated feed; without the member, the feed as it is.
    /// - Throws: ``DocumentError`` for a locale that is not known.
    static func placed(
        _ snapshot: Snapshot,
        after old: Snapshot
    ) throws(DocumentError) -> Snapshot {
        guard let (by, locale) = snapshot.collate else { return snapshot }
        let collation = try collation(locale)
        guard let before = old.collate, before == (by, locale) else {
            return collation.recollate(snapshot, by: by)
        }
        return collation.recollate(snapshot, after: old, by: by)
    }

    /// Returns the edits in the form in which they are applied.
    ///
    /// For a collated feed the positions in the edits are ignored, because its items are sorted
    /// after the last edit.
    ///
    /// - Throws: ``EditFailure`` for an edit of a collated feed's sections, and for an edit of
    ///   `collate`, which only a whole document may set.
    static func edits(_ edits: [Edit], for snapshot: Snapshot) throws(EditFailure) -> [Edit] {
        let isCollated = snapshot.collate != nil
        for (index, edit) in edits.enumerated() {
            guard let reason = refusal(of: edit, isCollated: isCollated) else { continue }
            throw EditFailure(index: index, kind: .wrongPosition, reason: reason)
        }
        guard isCollated else { return edits }
        return edits.map { withoutPlace($0, lastSection: snapshot.sections.last?.id) }
    }

    private static func refusal(of edit: Edit, isCollated: Bool) -> String? {
        switch edit {
        case .insertSection, .setSection, .moveSection, .removeSection:
            return isCollated ? "the sections of a collated feed are made from its items" : nil
        case .setFeed(let members):
            let names = members.set.map(\.name) + members.unset
            return names.contains("collate") ? "only a whole document sets “collate”" : nil
        case .insert, .put, .set, .replace, .move, .remove:
            return nil
        }
    }

    /// Returns the edit with the end of the last section as its position, so that a new item
    /// follows those that it ties with.
    private static func withoutPlace(_ edit: Edit, lastSection: ExactString?) -> Edit {
        switch edit {
        case .insert(let item, _, _): .insert(item, section: lastSection, at: .end)
        case .put(let item, _, _): .put(item, section: lastSection, at: .end)
        // The item stays where it is, but a missing one must still be an error.
        case .move(let id, _, _): .set(Changes.MemberEdit(), item: id)
        default: edit
        }
    }
}
