import Foundation

/// The text of HTML in blocks, for readers that only show text.
///
/// The HTML is sanitized first; its elements are then closed in order, and nested to a limit.
package struct HTMLBlocks: Equatable {
    /// The emphasis of a text.
    package struct Traits: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let strong = Traits(rawValue: 1)
        package static let emphasized = Traits(rawValue: 2)
        package static let code = Traits(rawValue: 4)
        /// Words in place of something else, such as a picture.
        package static let note = Traits(rawValue: 8)
    }

    /// A run of text with the same traits and link.
    package struct Span: Equatable {
        package var text: String
        package var traits: Traits
        /// The index in ``HTMLBlocks/links`` of the address that the text links to; `nil`: none.
        package var link: Int?

        package init(_ text: String, _ traits: Traits = [], link: Int? = nil) {
            (self.text, self.traits, self.link) = (text, traits, link)
        }
    }

    /// A paragraph, heading or the like.
    package struct Block: Equatable {
        package enum Kind: Equatable {
            case paragraph, heading, rule
            /// Text whose lines and spaces stay as they are.
            case preformatted
        }

        package var kind: Kind
        /// The text of the block; line feeds separate its lines.
        package var spans: [Span]
        /// The number of quotes (`blockquote`) around the block.
        package var quoteDepth = 0
        /// The number of lists around the block.
        package var listDepth = 0
        /// The bullet or number of the list item that begins with this block; `nil`: none does.
        package var marker: String?
        /// Whether the block follows the one before without an empty line between them.
        package var isClose = false

        package init(_ kind: Kind, _ spans: [Span] = []) {
            (self.kind, self.spans) = (kind, spans)
        }
    }

    package private(set) var blocks: [Block] = []
    /// The addresses that the text links to, each once, in the order of their first links.
    package private(set) var links: [String] = []

    /// The most bytes of HTML or text that are read; the rest is ignored.
    package static let byteLimit = 1 << 20

    /// Reads a fragment or a document of HTML, and resolves relative addresses to a base.
    package init(_ html: String, base: String = "") {
        let bytes = Array(HTMLSanitizer.sanitize(HTMLBlocks.cut(html), base: base).utf8)
        var writer = Writer(base: base, itemCounts: HTMLBlocks.itemCounts(bytes))
        var tokenizer = HTMLTokenizer(bytes[...])
        while let token = tokenizer.next() { writer.take(token) }
        writer.endBlock()
        (blocks, links) = (writer.blocks, writer.links)
    }

    /// Returns the beginning of a text, of up to ``byteLimit`` bytes.
    private static func cut(_ text: String) -> String {
        text.utf8.count <= byteLimit
            ? text : String(decoding: text.utf8.prefix(byteLimit), as: UTF8.self)
    }

    /// Returns the number of items of each `ol` in sanitized HTML, in the order of the start tags.
    private static func itemCounts(_ html: [UInt8]) -> [Int] {
        var counts: [Int] = []
        // The open lists: their indices in `counts`; `nil` for lists with bullets.
        var lists: [Int?] = []
        var tokenizer = HTMLTokenizer(html[...])
        while let token = tokenizer.next() {
            switch token {
            case .start(let name, _) where name.text == "ol":
                lists.append(counts.count)
                counts.append(0)
            case .start(let name, _) where name.text == "ul" || name.text == "dir":
                lists.append(nil)
            case .start(let name, _) where name.text == "li":
                if let list = lists.last ?? nil { counts[list] += 1 }
            case .end(let name) where ["ol", "ul", "dir"].contains(name.text):
                _ = lists.popLast()
            default: break
            }
        }
        return counts
    }

    /// Makes blocks of plain text, in which empty lines separate the paragraphs.
    package init(text: String) {
        var lines: [Substring] = []
        func paragraph() -> Block { Block(.paragraph, [Span(lines.joined(separator: "\n"))]) }
        for line in HTMLBlocks.cut(text).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        ) {
            if line.allSatisfy(\.isWhitespace) {
                if !lines.isEmpty { blocks.append(paragraph()) }
                lines = []
            } else {
                lines.append(line)
            }
        }
        if !lines.isEmpty { blocks.append(paragraph()) }
    }

    /// Returns the last segment of an address's path, percent-decoded; the address if it has none.
    package static func fileName(of address: String) -> String {
        let name = WebAddress.parts(address).last.map(String.init) ?? address
        return name.removingPercentEncoding ?? name
    }
}

extension HTMLBlocks {
    /// Makes blocks of the tokens of sanitized HTML.
    private struct Writer {
        /// The address of the document that contains the text, without a fragment.
        private let base: Substring
        private(set) var blocks: [Block] = []
        private(set) var links: [String] = []
        private var linkIndices: [String: Int] = [:]
        private var spans: [Span] = []
        /// Whether a space must be written before the next text.
        private var hasSpace = false
        private var isAtLineStart = true
        /// ``Block/isClose`` of the next block.
        private var isClose = false
        /// ``Block/marker`` of the next block.
        private var marker: String?
        // The depths count the open elements: quotes, headings, preformatted texts, and so on.
        private var quoteDepth = 0
        private var headingDepth = 0
        private var verbatimDepth = 0
        private var strongDepth = 0
        private var emphasisDepth = 0
        private var codeDepth = 0
        private var termDepth = 0
        /// The open lists: the number of the next item (`nil`: items have bullets), the step to the
        /// one after it, and whether an item has begun.
        private var lists: [(number: Int?, step: Int, hasItems: Bool)] = []
        /// The number of items of each `ol` that has not begun, in the order of the start tags.
        private var itemCounts: ArraySlice<Int>
        /// Whether the open table has a row.
        private var hasRows = false
        /// The indices in ``links`` of the open links; `nil`: the link is not shown as one.
        private var openLinks: [Int?] = []
        /// Whether the open `audio` or `video` element has named its file.
        private var hasMedia = false

        private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
        private static let strong: Set<String> = ["b", "strong", "th", "dt"]
        private static let emphasized: Set<String> = ["em", "i", "cite", "dfn", "var"]
        private static let code: Set<String> = ["code", "kbd", "samp", "tt", "pre"]

        init(base: String, itemCounts: [Int]) {
            self.base = base.prefix { $0 != "#" }
            self.itemCounts = itemCounts[...]
        }

        /// Adds a token.
        mutating func take(_ token: HTMLTokenizer.Token) {
            switch token {
            case .text(let bytes): add(String(decoding: bytes, as: UTF8.self))
            case .start(let name, let attributes):
                start(name.text, isBlock: name.isBlock, attributes)
            case .end(let name): end(name.text, isBlock: name.isBlock)
            }
        }

        private var traits: Traits {
            var traits: Traits = []
            if strongDepth > 0 { traits.insert(.strong) }
            if emphasisDepth > 0 { traits.insert(.emphasized) }
            if codeDepth > 0 { traits.insert(.code) }
            return traits
        }

        private mutating func append(_ text: String, _ traits: Traits, link: Int?) {
            if let last = spans.indices.last, spans[last].traits == traits, spans[last].link == link
            {
                spans[last].text += text
            } else {
                spans.append(Span(text, traits, link: link))
            }
        }

        /// Adds text; outside of `pre`, white space becomes a single space, as HTML shows it.
        private mutating func add(_ text: String, note: Bool = false) {
            let traits = note ? traits.union(.note) : traits
            let link = openLinks.last ?? nil
            if verbatimDepth > 0 {
                // A line feed right after the start tag of `pre` is ignored (HTML Standard
                // §13.1.2.5).
                let text =
                    spans.isEmpty && text.first?.isNewline == true ? text.dropFirst() : text[...]
                if !text.isEmpty { append(String(text), traits, link: link) }
                return
            }
            var shown = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case " ", "\t", "\n", "\r", "\u{C}": hasSpace = !isAtLineStart
                default:
                    if hasSpace, shown.isEmpty, let last = spans.indices.last {
                        // The space is added to the text before: a link must not begin with it.
                        spans[last].text += " "
                    } else if hasSpace {
                        shown.unicodeScalars.append(" ")
                    }
                    (hasSpace, isAtLineStart) = (false, false)
                    shown.unicodeScalars.append(scalar)
                }
            }
            if !shown.isEmpty { append(shown, traits, link: link) }
        }

        private mutating func breakLine() {
            guard !spans.isEmpty else { return }
            append("\n", traits, link: nil)
            (hasSpace, isAtLineStart) = (false, true)
        }

        /// Ends the current block, and adds it if it has any text or is a rule.
        ///
        /// - Parameter rule: `.rule` for a rule; `nil`: the open elements decide the kind.
        mutating func endBlock(_ rule: Block.Kind? = nil) {
            (hasSpace, isAtLineStart) = (false, true)
            let kind: Block.Kind =
                rule
                ?? (verbatimDepth > 0 ? .preformatted : headingDepth > 0 ? .heading : .paragraph)
            let isBlank = spans.allSatisfy { $0.text.allSatisfy(\.isWhitespace) }
            var block = Block(kind, isBlank ? [] : spans)
            spans = []
            guard !isBlank || rule != nil else { return }
            (block.quoteDepth, block.listDepth) = (quoteDepth, lists.count + termDepth)
            (block.marker, block.isClose) = (marker, isClose)
            (marker, isClose) = (nil, false)
            blocks.append(block)
        }

        private mutating func start(
            _ name: String,
            isBlock: Bool,
            _ attributes: HTMLTokenizer.Attributes
        ) {
            if isBlock, name != "br" { endBlock() }
            countTraits(of: name, by: 1)
            switch name {
            case "hr": endBlock(.rule)
            case "pre": verbatimDepth += 1
            case "blockquote": quoteDepth += 1
            case "ul", "dir": begin(list: nil)
            case "ol":
                // A reversed list ends with 1, unless it says where it starts (HTML Standard
                // §4.4.5).
                let count = itemCounts.popFirst() ?? 0
                let isReversed = attributes["reversed"] != nil
                let start = attributes["start"].flatMap { Int($0) } ?? (isReversed ? count : 1)
                begin(list: start, step: isReversed ? -1 : 1)
            case "li": beginItem(attributes["value"].flatMap { Int($0) })
            case "dd":
                termDepth += 1
                isClose = true
            case "table": hasRows = false
            case "tr":
                isClose = hasRows
                hasRows = true
            case "caption": endBlock()
            case "figcaption": isClose = true
            case "td", "th":
                guard !spans.isEmpty else { break }
                add(" │")
                hasSpace = true
            default: startInLine(name, attributes)
            }
        }

        /// Begins an element within a line of text.
        private mutating func startInLine(
            _ name: String,
            _ attributes: HTMLTokenizer.Attributes
        ) {
            switch name {
            case "br": breakLine()
            case "q": add("“")
            case "a":
                let link = attributes["href"].flatMap { index(of: $0) }
                openLinks.append(link)
            case "img":
                let file = attributes["src"]?.nonempty.map(HTMLBlocks.fileName)
                add("[\(attributes["alt"]?.nonempty ?? file ?? "picture")]", note: true)
            case "video", "audio":
                hasMedia = false
                addMedia(attributes)
            case "source": addMedia(attributes)
            default: break
            }
        }

        private mutating func end(_ name: String, isBlock: Bool) {
            if isBlock { endBlock() }
            countTraits(of: name, by: -1)
            switch name {
            case "pre": verbatimDepth -= 1
            case "blockquote": quoteDepth -= 1
            case "q": add("”")
            case "ul", "ol", "dir": _ = lists.popLast()
            case "li": (marker, isClose) = (nil, false)
            case "dd":
                termDepth -= 1
                isClose = false
            case "tr", "figcaption": isClose = false
            case "caption": endBlock()
            case "a": endLink()
            default: break
            }
        }

        /// Adds to the depths for an element that emphasizes its text or makes it a heading.
        private mutating func countTraits(of name: String, by count: Int) {
            if Writer.headings.contains(name) { headingDepth += count }
            if Writer.strong.contains(name) { strongDepth += count }
            if Writer.emphasized.contains(name) { emphasisDepth += count }
            if Writer.code.contains(name) { codeDepth += count }
        }

        /// Begins a list; `number` is the number of its first item, `nil` for bullets.
        private mutating func begin(list number: Int?, step: Int = 1) {
            // A list in an item follows the item's text without an empty line.
            isClose = !lists.isEmpty
            lists.append((number, step, false))
        }

        /// Begins a list item; `value` is its own number, if it states one.
        private mutating func beginItem(_ value: Int?) {
            guard let (number, step, hasItems) = lists.popLast() else {
                marker = "•"
                return
            }
            if hasItems { isClose = true }
            let own = number.map { value ?? $0 }
            lists.append((own.map { $0 &+ step }, step, true))
            marker = own.map { "\($0)." } ?? (lists.count % 2 == 1 ? "•" : "◦")
        }

        /// Returns the index in ``links`` of an address, which is added if it is new; `nil`: it
        /// leads to the text itself, or has no scheme.
        private mutating func index(of address: String) -> Int? {
            let isInText = address.contains("#") && address.prefix { $0 != "#" } == base
            guard !isInText, WebAddress.scheme(of: address) != nil else { return nil }
            if let known = linkIndices[address] { return known }
            linkIndices[address] = links.count
            links.append(address)
            return links.count - 1
        }

        /// Ends a link, and adds its number in brackets.
        private mutating func endLink() {
            guard let link = openLinks.popLast() ?? nil else { return }
            let number = Span("\u{A0}[\(link + 1)]", .note)
            if spans.isEmpty, let last = blocks.indices.last,
                blocks[last].spans.contains(where: { $0.link == link })
            {
                // The link's text has ended with the block before: the number goes there.
                return blocks[last].spans.append(number)
            }
            spans.append(number)
            isAtLineStart = false
        }

        /// Adds a link to the file of an `audio` or `video` element, to the first if it has many.
        private mutating func addMedia(_ attributes: HTMLTokenizer.Attributes) {
            guard !hasMedia, let source = attributes["src"]?.nonempty, let link = index(of: source)
            else { return }
            hasMedia = true
            openLinks.append(link)
            add("[\(HTMLBlocks.fileName(of: source))]", note: true)
            endLink()
        }
    }
}
