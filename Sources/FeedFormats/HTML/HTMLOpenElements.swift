/// The elements that are open, outermost first, and what ends them (HTML Standard §13.1.2.4).
struct HTMLOpenElements {
    struct Element {
        let name: String
        /// Where its tag stands in what was written.
        let tag: Range<Int>
        /// The bit of its name.
        let kind: Names
    }

    /// Names as bits, for every tag asks for many; 0 has those that end nothing.
    typealias Names = UInt64

    private var elements: [Element] = []

    var count: Int { elements.count }

    mutating func append(_ name: String, tag: Range<Int>) {
        elements.append(Element(name: name, tag: tag, kind: HTMLOpenElements.bits[name] ?? 0))
    }

    mutating func popLast() -> String? { elements.popLast()?.name }

    /// The innermost element of the names, if no element of `bounds` is in it.
    private func last(of names: Names, within bounds: Names) -> Int? {
        let index = elements.lastIndex { $0.kind & (names | bounds) != 0 }
        return index.flatMap { elements[$0].kind & names != 0 ? $0 : nil }
    }

    /// The outermost element of the names that is in the innermost of `bounds`.
    private func first(of names: Names, within bounds: Names) -> Int? {
        let start = elements.lastIndex { $0.kind & bounds != 0 }.map { $0 + 1 } ?? 0
        return elements[start...].firstIndex { $0.kind & names != 0 }
    }

    /// The element that an end tag closes; it reaches out of no cell, and of no list but its own.
    func index(endedBy name: String) -> Int? {
        let kind = HTMLOpenElements.bits[name] ?? 0
        var bounds = HTMLOpenElements.tableParts
        if kind & (HTMLOpenElements.cells | HTMLOpenElements.rows) != 0 {
            bounds = HTMLOpenElements.table
        } else if name == "table" {
            bounds = 0
        } else if name == "li" {
            bounds |= HTMLOpenElements.lists
        }
        let index = elements.lastIndex { $0.name == name || $0.kind & bounds != 0 }
        return index.flatMap { elements[$0].name == name ? $0 : nil }
    }

    /// The outermost element that a start tag closes; `nil`: none (any more).
    func index(endedByStartOf name: String) -> Int? {
        if HTMLVocabulary.endsForeign.contains(name), let math = mathWithoutHTML { return math }
        switch name {
        case "li":
            let kept = HTMLOpenElements.holdsItems
            if let item = last(of: HTMLOpenElements.item, within: kept) { return item }
        case "dt", "dd":
            let kept = HTMLOpenElements.holdsItems
            if let term = last(of: HTMLOpenElements.terms, within: kept) { return term }
        case "td", "th":
            return first(of: HTMLOpenElements.cells, within: HTMLOpenElements.tableOrRow)
        case "tr":
            return first(
                of: HTMLOpenElements.cells | HTMLOpenElements.row,
                within: HTMLOpenElements.holdsRows
            )
        case "tbody", "thead", "tfoot":
            let parts = HTMLOpenElements.cells | HTMLOpenElements.rows
            return first(of: parts, within: HTMLOpenElements.table)
        case "rt", "rp":
            return last(
                of: HTMLOpenElements.rubyTexts,
                within: HTMLOpenElements.ruby
            )
        case "a":
            let bounds = HTMLOpenElements.tableParts | HTMLOpenElements.lists
            return last(of: HTMLOpenElements.link, within: bounds)
        case "h1", "h2", "h3", "h4", "h5", "h6":
            if let last = elements.last, last.kind & HTMLOpenElements.headings != 0 {
                return elements.count - 1
            }
        default: break
        }
        guard HTMLOpenElements.endsParagraph.contains(name) else { return nil }
        return last(of: HTMLOpenElements.paragraph, within: HTMLOpenElements.holdsParagraphs)
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
        last(of: HTMLOpenElements.math, within: HTMLOpenElements.holdsHTML)
    }
}

/// Which names do what.
extension HTMLOpenElements {
    /// The bits of names that are parted by spaces.
    private static func names(_ list: String) -> Names {
        list.split(separator: " ").reduce(0) { $0 | bits[String($1), default: 0] }
    }

    private static let bits: [String: Names] = {
        let names =
            "p li dt dd td th caption colgroup tr tbody thead tfoot table rt rp ruby a math"
            + " mi mo mn ms mtext h1 h2 h3 h4 h5 h6 ul ol dl article aside blockquote center"
            + " details dir figcaption figure footer header hgroup main nav pre section summary"
        var bits: [String: Names] = [:]
        for (place, name) in names.split(separator: " ").enumerated() {
            bits[String(name)] = 1 << Names(place)
        }
        return bits
    }()

    private static let paragraph = names("p")
    private static let link = names("a")
    private static let math = names("math")
    private static let item = names("li")
    private static let terms = names("dt dd")
    private static let ruby = names("ruby")
    private static let rubyTexts = names("rt rp")
    private static let row = names("tr")
    private static let tableOrRow = names("table tr")
    private static let holdsRows = names("table tbody thead tfoot")
    private static let cells = names("td th caption colgroup")
    private static let rows = names("tr tbody thead tfoot")
    private static let table = names("table")
    private static let tableParts = names("table td th caption")
    private static let lists = names("ul ol dl")
    private static let headings = names("h1 h2 h3 h4 h5 h6")
    /// Texts of formulas, in which there may be HTML.
    private static let holdsHTML = names("mi mo mn ms mtext")
    private static let holdsParagraphs = tableParts | holdsHTML

    /// Elements out of which a new item reaches not ("special" but for `address`, `div` and `p`).
    private static let holdsItems =
        tableParts | lists | headings
        | names(
            "article aside blockquote center details dir figcaption figure footer header hgroup"
                + " main nav pre section summary"
        )

    private static let formatting: Set<String> = [
        "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u",
    ]

    private static let endsParagraph: Set<String> = [
        "h1", "h2", "h3", "h4", "h5", "h6", "address", "article", "aside", "blockquote", "center",
        "dd", "details", "dir", "div", "dl",
        "dt", "figcaption", "figure", "footer", "header", "hgroup", "hr", "li", "main", "nav", "ol",
        "p", "pre", "section", "summary", "table", "ul",
    ]
}
