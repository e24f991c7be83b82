import FeedCollation
import FeedDiff
import FeedModel
import FeedStore

/// Where feeds meet collation (docs/PROTOCOL.md, "Collation").
enum Collation {
    /// The state that a document asks for.
    ///
    /// - Throws: `400` for a locale that is not known.
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

    /// The feed with its items where its member `collate` puts them, if it has it.
    ///
    /// - Parameters:
    ///   - snapshot: The feed after edits.
    ///   - old: The feed before: what is in place already stays there.
    /// - Returns: The feed, as it is without the member.
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

    /// Returns the edits of a feed, as they are to be applied.
    ///
    /// For a collated feed the positions in the edits are ignored, since the items are placed when
    /// all edits are done.
    ///
    /// - Throws: ``EditFailure`` for an edit of the sections of a collated feed, which are the
    ///   collation's, and in any feed for one of `collate`, which a whole document alone sets.
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

    /// At the end an item comes behind those that it ties with.
    private static func withoutPlace(_ edit: Edit, lastSection: ExactString?) -> Edit {
        switch edit {
        case .insert(let item, _, _): .insert(item, section: lastSection, at: .end)
        case .put(let item, _, _): .put(item, section: lastSection, at: .end)
        // Nothing moves; but what is not there is still told.
        case .move(let id, _, _): .set(Changes.MemberEdit(), item: id)
        default: edit
        }
    }
}
