/// The elements that are open, outermost first, and what ends them (HTML Standard §13.1.2.4).
struct HTMLOpenElements {
    struct Element {
        let name: String
        /// Where its tag stands in what was written.
        let tag: Range<Int>
    }

    private var elements: [Element] = []

    var count: Int { elements.count }

    mutating func append(_ name: String, tag: Range<Int>) {
        elements.append(Element(name: name, tag: tag))
    }

    mutating func popLast() -> String? { elements.popLast()?.name }

    /// The innermost element of a name, if no element of `bounds` is in it.
    private func last(of names: Set<String>, within bounds: Set<String>) -> Int? {
        let index = elements.lastIndex { names.contains($0.name) || bounds.contains($0.name) }
        return index.flatMap { names.contains(elements[$0].name) ? $0 : nil }
    }

    /// The outermost element of the names that is in the innermost of `bounds`.
    private func first(of names: Set<String>, within bounds: Set<String>) -> Int? {
        let start = elements.lastIndex { bounds.contains($0.name) }.map { $0 + 1 } ?? 0
        return elements[start...].firstIndex { names.contains($0.name) }
    }

    /// The element that an end tag closes; it reaches out of no cell, and of no list but its own.
    func index(endedBy name: String) -> Int? {
        if HTMLOpenElements.cells.contains(name) || HTMLOpenElements.rows.contains(name) {
            return last(of: [name], within: ["table"])
        }
        let bounds = name == "table" ? [] : HTMLOpenElements.tableParts
        return last(of: [name], within: name == "li" ? bounds.union(["ul", "ol"]) : bounds)
    }

    /// The outermost element that a start tag closes; `nil`: none (any more).
    func index(endedByStartOf name: String) -> Int? {
        if HTMLVocabulary.endsForeign.contains(name), let math = mathWithoutHTML { return math }
        switch name {
        case "li":
            if let item = last(of: ["li"], within: HTMLOpenElements.holdsItems) { return item }
        case "dt", "dd":
            if let item = last(of: ["dt", "dd"], within: HTMLOpenElements.holdsItems) {
                return item
            }
        case "td", "th": return first(of: HTMLOpenElements.cells, within: ["table", "tr"])
        case "tr":
            let parts = HTMLOpenElements.cells.union(["tr"])
            return first(of: parts, within: ["table", "tbody", "thead", "tfoot"])
        case "tbody", "thead", "tfoot":
            let parts = HTMLOpenElements.cells.union(HTMLOpenElements.rows)
            return first(of: parts, within: ["table"])
        case "rt", "rp": return last(of: ["rt", "rp"], within: ["ruby"])
        case "a":
            return last(of: ["a"], within: HTMLOpenElements.tableParts.union(["ul", "ol", "dl"]))
        case "h1", "h2", "h3", "h4", "h5", "h6":
            if let last = elements.last?.name, HTMLOpenElements.headings.contains(last) {
                return elements.count - 1
            }
        default: break
        }
        guard HTMLOpenElements.endsParagraph.contains(name) else { return nil }
        return last(of: ["p"], within: HTMLOpenElements.holdsParagraphs)
    }

    /// Formatting in an element, which goes on when that is closed by a start tag.
    ///
    /// - Parameter ofLink: Whether a link goes on too.
    func formatting(after index: Int, ofLink: Bool) -> [Element] {
        guard ["p", "a"].contains(elements[index].name) else { return [] }
        return elements[(index + 1)...].filter {
            HTMLOpenElements.formatting.contains($0.name) || ofLink && $0.name == "a"
        }
    }

    /// A formula, if what comes next is not in one of its texts.
    private var mathWithoutHTML: Int? {
        last(of: ["math"], within: HTMLVocabulary.holdsHTML)
    }

    private static let cells: Set<String> = ["td", "th", "caption", "colgroup"]
    private static let rows: Set<String> = ["tr", "tbody", "thead", "tfoot"]
    private static let tableParts: Set<String> = ["table", "td", "th", "caption"]
    private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

    private static let formatting: Set<String> = [
        "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u",
    ]

    private static let holdsParagraphs: Set<String> = tableParts.union(
        HTMLVocabulary.holdsHTML
    )

    /// Elements out of which a new item reaches not ("special" but for `address`, `div` and `p`).
    private static let holdsItems: Set<String> = tableParts.union([
        "article", "aside", "blockquote", "center", "details", "dir", "dl", "figcaption", "figure",
        "footer", "header", "hgroup", "main", "nav", "ol", "pre", "section", "summary", "ul",
        "h1", "h2", "h3", "h4", "h5", "h6",
    ])

    private static let endsParagraph: Set<String> = headings.union([
        "address", "article", "aside", "blockquote", "center", "dd", "details", "dir", "div", "dl",
        "dt", "figcaption", "figure", "footer", "header", "hgroup", "hr", "li", "main", "nav", "ol",
        "p", "pre", "section", "summary", "table", "ul",
    ])
}
