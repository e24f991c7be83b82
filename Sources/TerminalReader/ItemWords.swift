import FeedFormats
import FeedModel
import Foundation

/// The texts of an item's row, taken from the members that readers know (docs/ITEMS.md).
struct ItemWords {
    let title: String
    /// The text beside the title, such as an author; empty: none.
    let detail: String
    /// The item's value, such as a price.
    let value: String?
    /// The time at which the item was published, or else changed.
    let date: Date?
    /// Whether the item is to be read once, and so can be unread: it has a publication date and no
    /// value.
    let isNews: Bool
    /// The address of the item's page.
    let link: String?

    private static let titles: [ExactString] = ["title", "headline", "name"]
    private static let details: [ExactString] = ["author", "authors", "state"]
    private static let publications: [ExactString] = ["published", "date_published"]
    private static let dates: [ExactString] = publications + ["updated", "date_modified"]
    /// The members with the item's text, those with the longest text first.
    static let texts: [ExactString] = ["content", "content_text", "text", "summary"]
    /// The members with text in the order in which they serve as detail of an item without a title.
    private static let beginnings: [ExactString] = ["summary", "content", "content_text", "text"]
    /// The members that are shown elsewhere in a row or an article, or that people need not see.
    static let known: Set<ExactString> = {
        let others: [ExactString] = [
            "id", "url", "value", "content_html", "tags", "attachments", "external_url", "image",
            "banner_image", "language", "guid", "kind",
        ]
        return [titles, details, dates, texts].reduce(Set(others)) { $0.union($1) }
    }()

    init(_ item: FeedItem) {
        let members = item.members
        func first(_ names: [ExactString]) -> String? {
            names.lazy.compactMap { ItemWords.words(members[$0]) }.first
        }
        let title = first(Self.titles)
        let heading = title ?? item.heading.flatMap { ShownText.isBlank($0) ? nil : $0 }
        self.title = heading ?? item.id.string
        let written = first(Self.dates)
        date = written.flatMap { FeedDate(parsing: $0) }
            .map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1_000) }
        let names = title == nil ? Self.beginnings + Self.details : Self.details
        // A text that is the heading already is skipped. A date that cannot be parsed is shown as
        // written.
        let found = names.lazy.compactMap { ItemWords.words(members[$0]) }.first { $0 != heading }
        detail = found ?? (date == nil ? written : nil) ?? ""
        value = members["value"].flatMap(Self.plain)
        isNews = value == nil && first(Self.publications) != nil
        link = members["url"]?.stringValue.flatMap(ShownText.link)
    }

    /// Returns the author of an item, or the names of several authors.
    static func author(of item: FeedItem) -> String? {
        let members = item.members
        return words(members["author"]) ?? words(members["authors"])
    }

    /// Returns the tags of an item: at most 12, each of at most 60 characters.
    static func tags(of item: FeedItem) -> [String] {
        let tags = item.members["tags"].flatMap { JSONValue($0).elements } ?? []
        return tags.prefix(12).compactMap { tag in words(tag).map { String($0.prefix(60)) } }
    }

    /// Whether an item contains a text, in its titles, authors, tags, value or content, ignoring
    /// case.
    ///
    /// The id counts for an item without a title.
    static func has(_ text: String, in item: FeedItem) -> Bool {
        let members = item.members
        return members.list.contains { member in
            words(of: member)?.localizedCaseInsensitiveContains(text) ?? false
        }
            || titles.allSatisfy { members[$0] == nil }
                && item.id.string.localizedCaseInsensitiveContains(text)
    }

    /// Returns the text of a member for a search; `nil`: the member is not searched.
    private static func words(of member: Member) -> String? {
        switch member.name {
        case "content_html": member.value.stringValue.map { HTMLText.line($0) }
        case "author", "authors", "tags": words(member.value)
        case "value": plain(member.value)
        case let name where titles.contains(name) || texts.contains(name): member.value.stringValue
        default: nil
        }
    }

    /// Returns a value as text: a string as it is, other values as JSON.
    ///
    /// At most 2,000 characters; `nil`: there is nothing to show.
    static func plain(_ value: JSONText) -> String? {
        let text = value.stringValue ?? String(decoding: value.bytes.prefix(2_000), as: UTF8.self)
        return text == "null" || ShownText.isBlank(text) ? nil : String(text.prefix(2_000))
    }

    /// Returns a string, or the names of authors; `nil`: there is nothing to show.
    private static func words(_ value: JSONText?) -> String? {
        value.flatMap { words(JSONValue($0)) }
    }

    private static func words(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text):
            return ShownText.isBlank(text.string) ? nil : String(text.string.prefix(2_000))
        case .array(let authors):
            let names = authors.prefix(12).compactMap(words)
            return names.isEmpty ? nil : names.joined(separator: ", ")
        default:
            return value["name"]?.string.flatMap { ShownText.isBlank($0) ? nil : $0 }
        }
    }
}
