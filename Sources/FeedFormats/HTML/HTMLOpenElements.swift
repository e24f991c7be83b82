/// The open elements, outermost first, and the rules by which tags end them (HTML Standard
/// §13.1.2.4).
struct HTMLOpenElements {
    struct Element {
        let name: HTMLName
        /// The range of the element's tag in the output.
        let tag: Range<Int>

        var kind: Names { name.kind }
    }

    /// A set of names as bits, since every tag asks for many; names outside ``bits`` have no bit.
    typealias Names = UInt64

    private var elements: [Element] = []
    /// The number of open elements that are formulas (`math`).
    private var mathCount = 0

    var count: Int { elements.count }

    mutating func append(_ name: HTMLName, tag: Range<Int>) {
        elements.append(Element(name: name, tag: tag))
        if name.kind & HTMLOpenElements.math != 0 { mathCount += 1 }
    }

    mutating func popLast() -> HTMLName? {
        guard let name = elements.popLast()?.name else { return nil }
        if name.kind & HTMLOpenElements.math != 0 { mathCount -= 1 }
        return name
    }

    /// Returns the index of the innermost element of the names; `nil`: there is none, or one of
    /// `bounds` is inside it.
    private func last(of names: Names, within bounds: Names) -> Int? {
        let index = elements.lastIndex { $0.kind & (names | bounds) != 0 }
        return index.flatMap { elements[$0].kind & names != 0 ? $0 : nil }
    }

    /// Returns the index of the outermost element of the names that is inside the innermost
    /// element of `bounds`.
    private func first(of names: Names, within bounds: Names) -> Int? {
        let start = elements.lastIndex { $0.kind & bounds != 0 }.map { $0 + 1 } ?? 0
        return elements[start...].firstIndex { $0.kind & names != 0 }
    }

    /// Returns the index of the element that an end tag closes; `nil`: the tag closes none.
    ///
    /// The end tag of a cell or row closes nothing outside its table, `</li>` nothing outside its
    /// list, and any other but `</table>` nothing outside its cell.
    func index(endedBy name: HTMLName) -> Int? {
        let kind = name.kind
        var bounds = HTMLOpenElements.tableParts
        if kind & (HTMLOpenElements.cells | HTMLOpenElements.rows) != 0 {
            bounds = HTMLOpenElements.table
        } else if kind & HTMLOpenElements.table != 0 {
            bounds = 0
        } else if kind & HTMLOpenElements.item != 0 {
            bounds |= HTMLOpenElements.lists
        }
        let index = elements.lastIndex { $0.name == name || $0.kind & bounds != 0 }
        return index.flatMap { elements[$0].name == name ? $0 : nil }
    }

    /// Returns the index of the outermost element that a start tag closes; `nil`: the tag closes
    /// none.
    ///
    /// Once that element is closed, the tag may close another one.
    func index(endedByStartOf name: HTMLName) -> Int? {
        if mathCount > 0, name.endsForeign, let math = mathWithoutHTML { return math }
        // Most tags end no element, and tags that end paragraphs end nothing else.
        if name.kind == 0, !name.endsParagraph { return nil }
        func isOne(of names: Names) -> Bool { name.kind & names != 0 }
        if isOne(of: HTMLOpenElements.item) {
            let kept = HTMLOpenElements.holdsItems
            if let item = last(of: HTMLOpenElements.item, within: kept) { return item }
        } else if isOne(of: HTMLOpenElements.terms) {
            let kept = HTMLOpenElements.holdsItems
            if let term = last(of: HTMLOpenElements.terms, within: kept) { return term }
        } else if isOne(of: HTMLOpenElements.inTable) {
            return inTable(endedByStartOf: name)
        } else if isOne(of: HTMLOpenElements.rubyTexts) {
            return last(of: HTMLOpenElements.rubyTexts, within: HTMLOpenElements.ruby)
        } else if isOne(of: HTMLOpenElements.link) {
            let bounds = HTMLOpenElements.tableParts | HTMLOpenElements.lists
            return last(of: HTMLOpenElements.link, within: bounds)
        } else if isOne(of: HTMLOpenElements.headings) {
            if let last = elements.last, last.kind & HTMLOpenElements.headings != 0 {
                return elements.count - 1
            }
        }
        guard name.endsParagraph else { return nil }
        return last(of: HTMLOpenElements.paragraph, within: HTMLOpenElements.holdsParagraphs)
    }

    /// Returns the index of the outermost element that the start tag of a cell, a row or a group of
    /// rows closes.
    private func inTable(endedByStartOf name: HTMLName) -> Int? {
        let cells = HTMLOpenElements.cells
        if name.kind & cells != 0 { return first(of: cells, within: HTMLOpenElements.tableOrRow) }
        if name.kind & HTMLOpenElements.row != 0 {
            return first(of: cells | HTMLOpenElements.row, within: HTMLOpenElements.holdsRows)
        }
        return first(of: cells | HTMLOpenElements.rows, within: HTMLOpenElements.table)
    }

    /// Returns the formatting inside an element, which continues after a start tag has closed the
    /// element.
    ///
    /// - Parameter ofLink: Whether a link continues, too.
    func formatting(after index: Int, ofLink: Bool) -> [Element] {
        let holders = HTMLOpenElements.paragraph | HTMLOpenElements.link
        guard elements[index].kind & holders != 0 else { return [] }
        return elements[(index + 1)...].filter {
            $0.name.isFormatting || ofLink && $0.kind & HTMLOpenElements.link != 0
        }
    }

    /// The index of the innermost formula; `nil`: there is none, or one of its texts is open.
    private var mathWithoutHTML: Int? {
        last(of: HTMLOpenElements.math, within: HTMLOpenElements.holdsHTML)
    }
}

/// The sets of names that the rules use.
extension HTMLOpenElements {
    /// Returns the bits of names that are separated by spaces.
    private static func names(_ list: String) -> Names {
        list.split(separator: " ").reduce(0) { $0 | bits[String($1), default: 0] }
    }

    static let bits: [String: Names] = {
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
    private static let inTable = names("td th tr tbody thead tfoot")
    private static let tableOrRow = names("table tr")
    private static let holdsRows = names("table tbody thead tfoot")
    private static let cells = names("td th caption colgroup")
    private static let rows = names("tr tbody thead tfoot")
    private static let table = names("table")
    private static let tableParts = names("table td th caption")
    private static let lists = names("ul ol dl")
    private static let headings = names("h1 h2 h3 h4 h5 h6")
    /// The texts of formulas, which may hold HTML.
    private static let holdsHTML = names("mi mo mn ms mtext")
    private static let holdsParagraphs = tableParts | holdsHTML

    /// The elements that end the search for an open list item that a new one closes: "special" in
    /// the HTML Standard, but for `address`, `div` and `p`.
    private static let holdsItems =
        tableParts | lists | headings
        | names(
            "article aside blockquote center details dir figcaption figure footer header hgroup"
                + " main nav pre section summary"
        )

    static let formatting: Set<String> = [
        "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u",
    ]

    static let endsParagraph: Set<String> = [
        "h1", "h2", "h3", "h4", "h5", "h6", "address", "article", "aside", "blockquote", "center",
        "dd", "details", "dir", "div", "dl",
        "dt", "figcaption", "figure", "footer", "header", "hgroup", "hr", "li", "main", "nav", "ol",
        "p", "pre", "section", "summary", "table", "ul",
    ]
}
