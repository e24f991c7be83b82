import FeedModel

/// A client's copy of a feed or a view, to which documents are applied strictly as docs/READING.md
/// says.
///
/// It refuses every document that the page allows to refuse.
struct FeedReplica {
    /// The feed's name; `nil` before the first document.
    private var feed: String?
    private var token: Token?
    private var snapshot = Snapshot()
    /// The number of items of the whole feed; `nil`: the copy is of the whole feed.
    private var total: Int?
    /// The numbers of items of the whole sections, in a view by section or limit.
    private var counts: [ExactString: Int] = [:]

    /// The content of the copy, in the form of the member `holds` of the cases.
    var document: JSONValue {
        var entries: [JSONValue.Entry] = []
        entries["token"] = token.map { .string(ExactString("\($0)")) } ?? .null
        entries["members"] = .object(snapshot.members.entries)
        entries["sections"] = .array(
            snapshot.sections.map { section in
                let count = total == nil ? section.items.count : counts[section.id]
                var entries = section.members.entries
                entries["id"] = .string(section.id)
                entries["count"] = count.map { .number("\($0)") }
                entries["items"] = .array(section.items.map { JSONValue($0.json) })
                return .object(entries)
            }
        )
        entries["total"] = total.map { .number("\($0)") }
        return .object(entries)
    }

    /// Applies a document.
    ///
    /// - Throws: ``CaseFailure`` if the document does not fit the copy, which is then emptied.
    mutating func take(_ document: JSONValue) throws(CaseFailure) {
        do {
            try takeWhole(document)
        } catch {
            drop()
            switch error {
            case let error as CaseFailure: throw error
            case let error as ChangesError: throw CaseFailure(error.reason)
            default: throw CaseFailure("\(error)")
            }
        }
    }

    private mutating func drop() {
        let feed = feed
        self = FeedReplica()
        self.feed = feed
    }

    private mutating func takeWhole(_ document: JSONValue) throws {
        let served = try ServedDocument(parsing: document.bytes)
        guard served.feed == feed ?? served.feed else {
            throw CaseFailure("a document of the feed \(served.feed)")
        }
        feed = served.feed
        switch served.content {
        case .missing:
            drop()
            return
        case .snapshot(let snapshot):
            (self.snapshot, counts) = (snapshot, served.sectionCounts)
        case .unchanged:
            guard served.token == token else {
                throw CaseFailure("unchanged is of another version")
            }
        case .changes(let changes, let since):
            guard since == token else { throw CaseFailure("since is not the version held") }
            snapshot = try snapshot.applying(changes)
            count(changes)
        case .unreadable(let reason): throw CaseFailure(reason)
        }
        (token, total) = (served.token, served.total)
        try check(document)
    }

    private mutating func count(_ changes: Changes) {
        for id in changes.removedSections { counts[id] = nil }
        for section in changes.insertedSections { counts[section.id] = section.fullCount }
        for section in changes.updatedSections where section.fullCount != nil {
            counts[section.id] = section.fullCount
        }
    }

    /// Compares the members `count` and `order` with the content, in their exact spelling.
    private func check(_ document: JSONValue) throws(CaseFailure) {
        guard document["count"]?.integer == snapshot.count else {
            let told = document["count"]?.spelled ?? "told"
            throw CaseFailure("\(snapshot.count) items are held, not \(told)")
        }
        let order = snapshot.order.hexadecimal
        guard document["order"]?.string == order else {
            let told = document["order"]?.spelled ?? "told"
            throw CaseFailure("the order is \(order), not \(told)")
        }
    }
}

extension Members {
    fileprivate var entries: [JSONValue.Entry] {
        list.map { JSONValue.Entry(name: $0.name, value: JSONValue($0.value)) }
    }
}
