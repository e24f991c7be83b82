import FeedModel
import TestSupport
import Testing

@testable import FeedSources

/// What a derived feed must hold, found by looking at everything.
struct NaiveDerivation {
    /// A feed as it is, with what its items say.
    struct Feed {
        var title: String?
        var sections: [(id: String, items: [Item])]
    }

    struct Item: Equatable {
        var id: String
        var kind: String?
        /// Seconds since 1970, of a day in 2026.
        var published: Int?
        var points: Int?

        var json: String {
            var members = ["\"id\":\"\(id)\""]
            if let kind { members.append("\"kind\":\"\(kind)\"") }
            if let points { members.append("\"points\":\(points)") }
            if let published {
                members.append("\"published\":\"\(NaiveDerivation.date(published))\"")
            }
            return "{\(members.joined(separator: ","))}"
        }
    }

    /// A time in January 2026 by hours from its start.
    static func date(_ hours: Int) -> String {
        let hour = hours % 24 < 10 ? "0\(hours % 24)" : "\(hours % 24)"
        return "2026-01-\(day(hours))T\(hour):00:00Z"
    }

    static func day(_ hours: Int) -> String {
        let day = 1 + hours / 24
        return day < 10 ? "0\(day)" : "\(day)"
    }

    /// A derivation, with what it means said once more.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var from: [String]
        var condition: ItemCondition?
        var holds: @Sendable (Item) -> Bool = { _ in true }
        var sort: String?
        /// What items are sorted by; `nil`: they come last.
        var key: (@Sendable (Item) -> Int?)?
        var isDescending = false
        var limit: Int?
        var sections = Derivation.Sections.one
    }

    /// A section: its id, its title and its items as they are in the derived feed.
    struct Section: Equatable {
        var id: String
        var title: String?
        var items: [Item]
    }

    static func sections(_ feeds: [String: Feed], _ recipe: Recipe) -> [Section] {
        var all: [(feed: String, item: Item)] = []
        for (place, pattern) in recipe.from.enumerated() {
            let names = feeds.keys.sorted().filter { name in
                let first = recipe.from.firstIndex { matches($0, name) }
                return first == place && matches(pattern, name)
            }
            for name in names {
                for section in feeds[name]?.sections ?? [] {
                    all += section.items.filter(recipe.holds).map { (name, $0) }
                }
            }
        }
        if let key = recipe.key { all = sorted(all, key, recipe.isDescending) }
        var sections: [Section] = []
        for (feed, item) in all.prefix(recipe.limit ?? .max) {
            let (id, title) = section(of: item, feed, feeds[feed]?.title, recipe)
            var copy = item
            copy.id = "\(feed)/\(item.id)"
            if let index = sections.firstIndex(where: { $0.id == id }) {
                sections[index].items.append(copy)
            } else {
                sections.append(Section(id: id, title: title, items: [copy]))
            }
        }
        if case .one = recipe.sections, sections.isEmpty {
            sections = [Section(id: "main", title: nil, items: [])]
        }
        return inOrder(sections, recipe)
    }

    /// A sort that keeps the order of what ties.
    private static func sorted(
        _ list: [(feed: String, item: Item)],
        _ key: (Item) -> Int?,
        _ isDescending: Bool
    ) -> [(feed: String, item: Item)] {
        list.enumerated().sorted { left, right in
            switch (key(left.element.item), key(right.element.item)) {
            case (nil, nil): left.offset < right.offset
            case (nil, _): false
            case (_, nil): true
            case (let first?, let second?):
                first == second
                    ? left.offset < right.offset : (first < second) != isDescending
            }
        }.map(\.element)
    }

    private static func inOrder(_ sections: [Section], _ recipe: Recipe) -> [Section] {
        switch recipe.sections {
        case .one: return sections
        case .bySource:
            return sections.sorted { left, right in
                let places = [left, right].map { section in
                    recipe.from.firstIndex { matches($0, section.id) } ?? .max
                }
                return places[0] == places[1] ? left.id < right.id : places[0] < places[1]
            }
        case .byDay, .byMember:
            var isDescending = false
            if case .byDay = recipe.sections { isDescending = recipe.isDescending }
            let others = sections.filter { $0.id != "#" }
            return others.sorted { ($0.id < $1.id) != isDescending }
                + sections.filter { $0.id == "#" }
        }
    }

    private static func section(
        of item: Item,
        _ feed: String,
        _ title: String?,
        _ recipe: Recipe
    ) -> (String, String?) {
        switch recipe.sections {
        case .one: return ("main", nil)
        case .bySource: return (feed, title)
        case .byDay:
            let id = item.published.map { "2026-01-\(day($0))" } ?? "#"
            return (id, id)
        case .byMember: return (item.kind ?? "#", item.kind ?? "#")
        }
    }

    private static func matches(_ pattern: String, _ name: String) -> Bool {
        guard pattern.hasSuffix("*") else { return pattern == name }
        return name.hasPrefix(pattern.dropLast()) && !name.hasPrefix("derived")
    }
}
