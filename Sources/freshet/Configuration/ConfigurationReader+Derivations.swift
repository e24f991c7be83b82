import FeedModel
import FeedSources
import Yams

/// Feeds that are derived from other feeds.
extension ConfigurationReader {
    private enum Name {
        static let sort = Setting<MemberPath>("sort", ConfigurationReader.pathForm) {
            MemberPath($0)
        }
        static let descending = Setting<Bool>.flag("descending")
        static let limit = Setting<Int>.number("limit", 1...1_000_000)
        static let title = Setting<String>.text("title")
        static let all = [
            "from", "where", sort.name, descending.name, limit.name, "sections", title.name,
        ]
    }

    static let pathForm = "a member's name, or a JSON Pointer such as /author/name"

    mutating func readDerivation(_ node: Node, _ path: String, _ feed: FeedName) {
        guard let entries = entries(node, path, known: Name.all) else { return }
        guard let from = entries["from"] else {
            return report(node.mark, path, "needs from, the feeds that it is made of")
        }
        guard let patterns = patterns(from, member(path, "from"), isOrdered: true) else {
            return
        }
        var derivation = Derivation(feed: feed, from: patterns)
        derivation.sort = value(Name.sort, entries, in: path)
        derivation.isDescending = value(Name.descending, entries, in: path) ?? false
        derivation.limit = value(Name.limit, entries, in: path)
        derivation.title = value(Name.title, entries, in: path)
        if let sections = entries["sections"] {
            derivation.sections = self.sections(sections, path, derivation.sort) ?? .one
        }
        if let condition = entries["where"] {
            derivation.condition = self.condition(condition, member(path, "where"))
        }
        if let node = entries["descending"], derivation.sort == nil, !derivation.isByDay {
            report(node.mark, member(path, "descending"), "needs sort, or sections by day")
        }
        file.settings.contents.derivations.append(derivation)
    }

    private mutating func sections(
        _ node: Node,
        _ path: String,
        _ sort: MemberPath?
    ) -> Derivation.Sections? {
        let path = member(path, "sections")
        guard node.scalar == nil else {
            guard let text = text(node, path) else { return nil }
            switch text {
            case "by-source": return .bySource
            case "by-day": return (sort ?? MemberPath("published")).map { .byDay($0) }
            default:
                let form = "by-source, by-day, {by-day: MEMBER} or {by-member: MEMBER}"
                report(node.mark, path, "must be \(form), not \"\(text)\"")
                return nil
            }
        }
        guard let entries = entries(node, path, known: ["by-day", "by-member"]) else { return nil }
        guard entries.count == 1, let (name, value) = entries.first else {
            report(node.mark, path, "must be one of by-day and by-member")
            return nil
        }
        let setting = Setting<MemberPath>(name, ConfigurationReader.pathForm) { MemberPath($0) }
        guard let way = self.value(setting, value, member(path, name)) else { return nil }
        return name == "by-day" ? .byDay(way) : .byMember(way)
    }

    /// Reports a cycle, by which a feed would be derived from itself.
    mutating func checkCycles(_ node: Node) {
        guard let cycle = Derivation.cycle(in: file.settings.contents.derivations),
            let first = cycle.first
        else { return }
        let way = cycle.map { "\"\($0)\"" }.joined(separator: " of ")
        let feed = node.mapping?.first { $0.key.scalar?.string == first.rawValue }
        report(
            feed?.key.mark,
            member(member("feeds", first.rawValue), "derive.from"),
            "a feed cannot be made of itself: \(way)"
        )
    }
}

extension Derivation {
    fileprivate var isByDay: Bool {
        if case .byDay = sections { return true }
        return false
    }
}
