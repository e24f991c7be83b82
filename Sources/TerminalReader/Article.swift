import FeedFormats
import FeedModel
import Foundation

/// An item laid out as text for reading: heading, content, files, and a numbered list of addresses.
struct Article {
    let item: FeedItem
    /// The width of the layout in cells.
    let width: Int
    let lines: [[Frame.Run]]
    /// The addresses that the text numbers from 1.
    let links: [String]
    /// The address of the item's page.
    let page: String?
    /// The time of the item.
    let date: Date?
    /// The index of the line with the time, after which the age is drawn.
    let dateLine: Int?

    /// The most addresses in the list at the end.
    private static let listLimit = 1_000

    init(_ item: FeedItem, width: Int) {
        let words = ItemWords(item)
        (self.item, self.width) = (item, width)
        (page, date) = (words.link, words.date)
        var layout = TextLayout(width: width)
        layout.add(words.title, .bold, link: words.link)
        if let value = words.value { layout.add(value) }
        let by = [ItemWords.author(of: item), date.map(Article.day)].compactMap(\.self)
        dateLine = date == nil ? nil : layout.lines.count
        if !by.isEmpty { layout.add(by.joined(separator: " · "), .dim) }
        let tags = ItemWords.tags(of: item).map { "#\($0)" }
        if !tags.isEmpty { layout.add(tags.joined(separator: " "), .dim) }
        let content = Article.content(of: item, base: words.link ?? "")
        for block in content.blocks { layout.add(block, links: content.links) }
        var links = content.links
        Article.addFiles(of: item, to: &layout, &links)
        Article.addMembers(of: item, to: &layout)
        Article.addAddresses(links, page, to: &layout)
        (lines, self.links) = (layout.lines, links)
    }

    private static func day(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space).time(
                includingFractionalSeconds: false
            )
        )
        .prefix(16) + " UTC"
    }

    /// Returns the item's content: its HTML, or else its text.
    private static func content(of item: FeedItem, base: String) -> HTMLBlocks {
        let members = item.members
        if let html = members["content_html"]?.stringValue {
            let blocks = HTMLBlocks(html, base: base)
            if !blocks.blocks.isEmpty { return blocks }
        }
        let text = ItemWords.texts.lazy.compactMap { members[$0]?.stringValue }
            .first { !ShownText.isBlank($0) }
        return HTMLBlocks(text: text ?? "")
    }

    /// Adds lines about the item's picture, external page and attachments, and their addresses to
    /// `links`.
    private static func addFiles(
        of item: FeedItem,
        to layout: inout TextLayout,
        _ links: inout [String]
    ) {
        let members = item.members
        for (name, sign) in [("image", "picture"), ("external_url", "about")]
            as [(ExactString, String)]
        {
            guard let link = members[name]?.stringValue.flatMap(ShownText.link),
                !links.contains(link)
            else { continue }
            links.append(link)
            layout.addEmptyLine()
            layout.add("\(sign): \(HTMLBlocks.fileName(of: link)) [\(links.count)]", .dim)
        }
        guard let files = members["attachments"].flatMap({ JSONValue($0).elements }) else { return }
        layout.addEmptyLine()
        for file in files.prefix(20) {
            func text(_ name: ExactString) -> String? {
                guard let text = file[name]?.string, !ShownText.isBlank(text) else { return nil }
                return String(text.prefix(300))
            }
            guard let link = text("url").flatMap(ShownText.link) else { continue }
            links.append(link)
            let words = [text("title") ?? HTMLBlocks.fileName(of: link), text("mime_type")]
                .compactMap(\.self)
            layout.add("file: \(words.joined(separator: " · ")) [\(links.count)]", .dim)
        }
    }

    /// Adds the members that the reader shows only by name and value.
    private static func addMembers(of item: FeedItem, to layout: inout TextLayout) {
        layout.addEmptyLine()
        for member in item.members.list where !ItemWords.known.contains(member.name) {
            guard let text = ItemWords.plain(member.value) else { continue }
            layout.add("\(member.name.string): \(text)", .dim)
        }
    }

    private static func addAddresses(
        _ links: [String],
        _ page: String?,
        to layout: inout TextLayout
    ) {
        layout.addEmptyLine()
        if let page { layout.add("[o] \(page)", .dim, link: page) }
        for (index, link) in links.prefix(listLimit).enumerated() {
            layout.add("[\(index + 1)] \(link)", .dim, link: ShownText.link(link))
        }
    }

    /// Returns the next line that contains a text, in either direction, wrapping around at the end.
    func line(with text: String, after start: Int, isForward: Bool) -> Int? {
        guard !lines.isEmpty else { return nil }
        return (1...lines.count).lazy
            .map { (start + (isForward ? $0 : lines.count - $0)) % lines.count }
            .first { lines[$0].map(\.text).joined().localizedCaseInsensitiveContains(text) }
    }

    /// Returns the line of this layout that corresponds to a line of an earlier one: the nearest
    /// line with the same text, or else the line at the same relative position.
    func line(matching line: Int, in old: Article) -> Int {
        guard line > 0, old.lines.indices.contains(line) else { return 0 }
        let guess = old.width == width ? line : line * lines.count / old.lines.count
        let text = old.lines[line].map(\.text)
        let same = lines.indices.filter { lines[$0].map(\.text) == text }
        return same.min { abs($0 - guess) < abs($1 - guess) } ?? guess
    }
}
