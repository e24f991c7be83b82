/// The open elements of a text, the outermost first, and the rules by which tags end them (HTML
/// Standard §13.1.2.4).
struct HTMLOpenElements {
    struct Element {
        let name: HTMLName
        /// The range of the element's start tag in the output.
        let tag: Range<Int>

        var kind: Names { name.kind }
    }

    /// A set of names as bits, because each tag is looked up in many sets.
    ///
    /// Names outside ``bits`` have no bit, and are in no set.
    typealias Names = UInt64

    private var elements: [Element] = []
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

    /// Returns the index of the innermost element in `names`; `nil`: there is none, or an element
    /// in `bounds` is inside it.
    private func last(of names: Names, within bounds: Names) -> Int? {
        let index = elements.lastIndex { $0.kind & (names | bounds) != 0 }
        return index.flatMap { elements[$0].kind & names != 0 ? $0 : nil }
    }

    /// Returns the index of the outermost element in `names` that is inside the innermost element
    /// in `bounds`; `nil`: there is none.
    private func first(of names: Names, within bounds: Names) -> Int? {
        let start = elements.lastIndex { $0.kind & bounds != 0 }.map { $0 + 1 } ?? 0
        return elements[start...].firstIndex { $0.kind & names != 0 }
    }

    /// Returns the index of the element that an end tag closes; `nil`: the tag closes none.
    ///
    /// `</table>` closes any open table. The end tag of a cell or a row closes nothing outside its
    /// table. Other end tags close nothing outside their cell or table; `</li>` also closes nothing
    /// outside its list.
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

    /// Returns the index of an element that a start tag closes with all elements in it; `nil`: the
    /// tag closes none.
    ///
    /// The tag may then close another element: the caller asks again.
    func index(endedByStartOf name: HTMLName) -> Int? {
        if mathCount > 0, name.endsForeign, let math = mathWithoutHTML { return math }
        // Names without a bit, which most tags have, can end nothing but paragraphs.
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

    /// Returns the index of the outermost part of a table that the start tag of a cell, a row or a
    /// group of rows closes.
    private func inTable(endedByStartOf name: HTMLName) -> Int? {
        let cells = HTMLOpenElements.cells
        if name.kind & cells != 0 { return first(of: cells, within: HTMLOpenElements.tableOrRow) }
        if name.kind & HTMLOpenElements.row != 0 {
            return first(of: cells | HTMLOpenElements.row, within: HTMLOpenElements.holdsRows)
        }
        return first(of: cells | HTMLOpenElements.rows, within: HTMLOpenElements.table)
    }

    /// Returns the open formatting inside an element that a start tag closes.
    ///
    /// The formatting continues after the element, as in browsers. Only paragraphs and links have
    /// such formatting.
    ///
    /// - Parameter ofLink: Whether links inside the element continue, too.
    /// - Returns: The elements to open again, the outermost first.
    func formatting(after index: Int, ofLink: Bool) -> [Element] {
        let holders = HTMLOpenElements.paragraph | HTMLOpenElements.link
        guard elements[index].kind & holders != 0 else { return [] }
        return elements[(index + 1)...].filter {
            $0.name.isFormatting || ofLink && $0.kind & HTMLOpenElements.link != 0
        }
    }

    /// The index of the innermost `math` element; `nil`: there is none, or a text in it is open,
    /// which may hold HTML.
    private var mathWithoutHTML: Int? {
        last(of: HTMLOpenElements.math, within: HTMLOpenElements.holdsHTML)
    }
}

/// Lists the names that the rules are about.
extension HTMLOpenElements {
    private static func names(_ list: String) -> Names {
        list.split(separator: " ").reduce(0) { $0 | bits[String($1), default: 0] }
    }

    /// The bit of each name that a rule mentions, at most 64.
    static let bits: [String: Names] = {
        let names =
            "p li dt dd td th caption colgroup tr tbody thead tfoot table rt rp ruby a math"
            + " mi mo mn ms mtext h1 h2 h3 h4 h5 h6 ul ol dl article aside blockquote center"
            + " details dir figcaption figure footer header hgroup main nav pre section summary"
        var bits: [String: Names] = [:]
        for (index, name) in names.split(separator: " ").enumerated() {
            bits[String(name)] = 1 << Names(index)
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
    /// The texts in MathML, which may hold HTML.
    private static let holdsHTML = names("mi mo mn ms mtext")
    private static let holdsParagraphs = tableParts | holdsHTML

    /// The elements in which a list item is not looked for when a new one is to close it: the
    /// "special" elements of the HTML Standard (§13.2.4.2), without `address`, `div` and `p`.
    private static let holdsItems =
        tableParts | lists | headings
        | names(
            "article aside blockquote center details dir figcaption figure footer header hgroup"
                + " main nav pre section summary"
        )

    /// The elements that only format text (HTML Standard §13.2.4.2), without `a` and `nobr`.
    static let formatting: Set<String> = [
        "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u",
    ]

    /// The elements whose start tag closes an open paragraph.
    static let endsParagraph: Set<String> = [
        "h1", "h2", "h3", "h4", "h5", "h6", "address", "article", "aside", "blockquote", "center",
        "dd", "details", "dir", "div", "dl",
        "dt", "figcaption", "figure", "footer", "header", "hgroup", "hr", "li", "main", "nav", "ol",
        "p", "pre", "section", "summary", "table", "ul",
    ]
}
