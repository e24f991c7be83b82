import FeedModel
import TestSupport
import Testing

/// Holds a document of changes against the fewest there could be, counted from both states.
struct FewestChanges {
    let old: NaiveFeed
    let new: NaiveFeed
    let changes: TestJSON

    func check() {
        checkSections()
        checkItems()
        checkUpdates()
    }

    private func list(_ group: ExactString, _ name: ExactString) -> [TestJSON] {
        changes[group]?[name]?.list ?? []
    }

    private func ids(_ group: ExactString, _ name: ExactString) -> [ExactString] {
        list(group, name).compactMap { $0.text ?? $0["id"]?.text ?? $0["item"]?["id"]?.text }
    }

    private func checkSections() {
        let (before, after) = (old.sections.map(\.id), new.sections.map(\.id))
        let inserted = list("sections", "insert").compactMap { $0["section"]?["id"]?.text }
        expectSame(ids("sections", "remove"), before.filter { !after.contains($0) })
        expectSame(inserted, after.filter { !before.contains($0) })
        #expect(ids("sections", "move").count == fewestMoves(before, after))
        #expect(changes["sections"] != [:])
    }

    private func checkItems() {
        let (before, after) = (Set(old.itemIDs), Set(new.itemIDs))
        let kept = Set(new.sections.map(\.id))
        let gone = old.sections.filter { kept.contains($0.id) }.flatMap(\.items)
            .compactMap { $0["id"]?.text }.filter { !after.contains($0) }
        expectSame(ids("items", "remove"), gone)
        expectSame(ids("items", "insert"), new.itemIDs.filter { !before.contains($0) })
        var moves = 0
        for section in new.sections {
            let now = section.items.compactMap { $0["id"]?.text }
            let then =
                old.sections.first { $0.id == section.id }?.items
                .compactMap { $0["id"]?.text } ?? []
            moves += fewestMoves(then, now)
            moves += now.count { before.contains($0) && !then.contains($0) }
        }
        #expect(ids("items", "move").count == moves)
        #expect(changes["items"] != [:])
    }

    private func checkUpdates() {
        #expect(isFewest(changes["feed"], old.members, new.members))
        for (group, before, after) in [
            ("sections" as ExactString, sectionMembers(old), sectionMembers(new)),
            ("items", itemMembers(old), itemMembers(new)),
        ] {
            let edits = list(group, "update")
            for (id, members) in after {
                guard let then = before[id] else { continue }
                let edit = edits.first { $0["id"]?.text == id }
                #expect(isFewest(edit, then, members))
            }
            expectSame(
                edits.filter { $0["set"] != nil || $0["unset"] != nil }.compactMap {
                    $0["id"]?.text
                },
                after.keys.filter { before[$0] != nil && before[$0] != after[$0] }
            )
        }
    }

    private func sectionMembers(_ feed: NaiveFeed) -> [ExactString: [ExactString: TestJSON]] {
        Dictionary(uniqueKeysWithValues: feed.sections.map { ($0.id, $0.members) })
    }

    private func itemMembers(_ feed: NaiveFeed) -> [ExactString: [ExactString: TestJSON]] {
        Dictionary(
            uniqueKeysWithValues: feed.sections.flatMap(\.items).map {
                ($0["id"]?.text ?? "", $0.members)
            }
        )
    }

    /// Whether an edit carries only what differs.
    private func isFewest(
        _ edit: TestJSON?,
        _ old: [ExactString: TestJSON],
        _ new: [ExactString: TestJSON]
    ) -> Bool {
        let set = new.filter { old[$0.key] != $0.value }
        let unset = Set(old.keys.filter { new[$0] == nil })
        return edit?["set"]?.members ?? [:] == set
            && Set((edit?["unset"]?.list ?? []).compactMap(\.text)) == unset
            && edit?["set"] != [:] && edit?["unset"] != []
    }

    private func expectSame(_ left: [ExactString], _ right: [ExactString]) {
        #expect(left.sorted() == right.sorted())
    }

    /// The number of those in both lists, less the longest run that keeps its order.
    private func fewestMoves(_ old: [ExactString], _ new: [ExactString]) -> Int {
        let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
        let common = new.compactMap { places[$0] }
        var runs: [Int] = []
        for (index, place) in common.enumerated() {
            let before = common[..<index].indices.filter { common[$0] < place }.map { runs[$0] }
            runs.append(1 + (before.max() ?? 0))
        }
        return common.count - (runs.max() ?? 0)
    }
}
