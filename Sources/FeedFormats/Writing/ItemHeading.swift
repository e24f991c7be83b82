package import FeedModel

extension FeedItem {
    private static let titles: [ExactString] = ["title", "headline", "name"]
    private static let texts: [ExactString] = ["summary", "content", "content_text", "text"]

    /// The item's title, or the beginning of its text; `nil`: it has neither.
    package var heading: String? {
        let members = members
        func text(_ name: ExactString) -> String? { members[name]?.stringValue?.nonempty }
        if let title = FeedItem.titles.lazy.compactMap(text).first { return title }
        if let words = FeedItem.texts.lazy.compactMap(text).first { return words.beginning }
        return text("content_html").flatMap { HTMLText.line($0).beginning }
    }
}

extension String {
    /// The most characters of a text that stands in for a title.
    private static let headingLimit = 80

    /// The beginning of the text in one line, cut after a word; `nil` for a blank text.
    var beginning: String? {
        // A limit far beyond the length that is shown, so that no long text is read whole.
        guard let line = String(prefix(4000)).singleLine.nonempty else { return nil }
        let start = line.prefix(String.headingLimit)
        if start.endIndex == line.endIndex { return line }
        let cut = start.lastIndex(of: " ").map { start[..<$0] } ?? start
        // A word may be as long as the line; and some languages have no spaces.
        let words = cut.count >= String.headingLimit / 2 ? cut : start
        return words + "…"
    }
}
