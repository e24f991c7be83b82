import FeedFormats

/// Breaks blocks of text into lines of a given width.
struct TextLayout {
    /// A character of a block, with its width in cells.
    private struct Atom {
        let character: Character
        let width: Int
        /// The index of the character's style in the list of the block's styles.
        let style: Int
    }

    private(set) var lines: [[Frame.Run]] = []
    private let width: Int

    /// The most lines; the rest of a text is left out.
    static let lineLimit = 50_000
    /// The indentation of a list's items in cells.
    private static let listIndentation = 4

    init(width: Int) {
        self.width = max(1, width)
    }

    /// Adds an empty line, unless the last line is empty or there are no lines yet.
    mutating func addEmptyLine() {
        if lines.last?.isEmpty == false { lines.append([]) }
    }

    /// Adds a paragraph in one style.
    mutating func add(_ text: String, _ style: Frame.Style = [], link: String? = nil) {
        var atoms: [Atom] = []
        append(text, 0, isVerbatim: false, to: &atoms)
        fill(atoms, [(style, link)], isVerbatim: false, first: [], rest: [])
    }

    /// Adds a block, with an empty line before it unless the block belongs directly below the one
    /// before; the block's spans refer to the links by index.
    mutating func add(_ block: HTMLBlocks.Block, links: [String]) {
        if !block.isClose { addEmptyLine() }
        let (first, rest) = indentation(of: block)
        var atoms: [Atom] = []
        var styles: [(style: Frame.Style, link: String?)] = []
        let isVerbatim = block.kind == .preformatted
        for span in block.spans {
            let link = span.link.map { links[$0] }
            styles.append((style(of: span, in: block), link.flatMap(ShownText.link)))
            append(span.text, styles.count - 1, isVerbatim: isVerbatim, to: &atoms)
        }
        if block.kind == .rule {
            styles = [(.dim, nil)]
            let length = max(1, width - cellCount(rest))
            append(String(repeating: "─", count: length), 0, isVerbatim: true, to: &atoms)
        }
        fill(atoms, styles, isVerbatim: isVerbatim, first: first, rest: rest)
    }

    private func style(of span: HTMLBlocks.Span, in block: HTMLBlocks.Block) -> Frame.Style {
        var style = Frame.Style()
        if block.kind == .heading || span.traits.contains(.strong) { style.insert(.bold) }
        if span.traits.contains(.emphasized) { style.insert(.italic) }
        if span.traits.contains(.note) { style.insert(.dim) }
        if span.link != nil { style.insert(.underline) }
        return style
    }

    private func append(_ text: String, _ style: Int, isVerbatim: Bool, to atoms: inout [Atom]) {
        for character in ShownText.lines(text) {
            if character == "\t" {
                // The width of a tab would depend on its column; a fixed number of spaces will do.
                for _ in 0..<(isVerbatim ? 4 : 1) {
                    atoms.append(Atom(character: " ", width: 1, style: style))
                }
            } else {
                let width = character.isNewline ? 0 : CellWidth.of(character).cells
                atoms.append(Atom(character: character, width: width, style: style))
            }
        }
    }
}

/// Breaks lines.
extension TextLayout {
    /// Breaks text into lines, and adds them.
    ///
    /// - Parameters:
    ///   - styles: The styles that the characters refer to by index.
    ///   - isVerbatim: Whether all spaces stay, and lines may be broken anywhere.
    ///   - first: The prefix of the first line: its indentation, quote bars and bullet.
    ///   - rest: The prefix of the other lines.
    private mutating func fill(
        _ atoms: [Atom],
        _ styles: [(style: Frame.Style, link: String?)],
        isVerbatim: Bool,
        first: [Frame.Run],
        rest: [Frame.Run]
    ) {
        var prefix = first
        for part in atoms.split(
            omittingEmptySubsequences: false,
            whereSeparator: \.character.isNewline
        ) {
            var remaining = part
            repeat {
                guard lines.count < TextLayout.lineLimit else { return }
                let line = takeLine(of: &remaining, max(1, width - cellCount(prefix)), isVerbatim)
                lines.append(runs(line, styles, after: prefix))
                prefix = rest
            } while !remaining.isEmpty
        }
    }

    /// Removes and returns the characters of the next line, which is at most `room` cells wide.
    private func takeLine(
        of atoms: inout ArraySlice<Atom>,
        _ room: Int,
        _ isVerbatim: Bool
    ) -> ArraySlice<Atom> {
        if !isVerbatim { atoms = atoms.drop { $0.character == " " } }
        var (end, used) = (atoms.startIndex, 0)
        var lastBreak: Int?
        while end < atoms.endIndex, used + atoms[end].width <= room {
            used += atoms[end].width
            end += 1
            // Text of wide characters, such as Chinese, may be broken between any two.
            let isWide = atoms[end - 1].width == 2 || end < atoms.endIndex && atoms[end].width == 2
            if isWide || atoms[end - 1].character == " " { lastBreak = end }
        }
        if end < atoms.endIndex, !isVerbatim, atoms[end].character != " ", let lastBreak {
            end = lastBreak
        }
        // A character that is wider than the window gets a line of its own.
        if end == atoms.startIndex, end < atoms.endIndex { end += 1 }
        defer {
            atoms = atoms[end...]
            if !isVerbatim { atoms = atoms.drop { $0.character == " " } }
        }
        let line = atoms[..<end]
        let blanks = isVerbatim ? 0 : line.reversed().prefix { $0.character == " " }.count
        return line.dropLast(blanks)
    }

    private func runs(
        _ atoms: ArraySlice<Atom>,
        _ styles: [(style: Frame.Style, link: String?)],
        after prefix: [Frame.Run]
    ) -> [Frame.Run] {
        var runs = atoms.isEmpty && prefix.allSatisfy { $0.style != .dim } ? [] : prefix
        var column = cellCount(prefix)
        var last: Int?
        for atom in atoms {
            if atom.style == last {
                runs[runs.count - 1].text.append(atom.character)
            } else {
                let (style, link) = styles[atom.style]
                let text = String(atom.character)
                runs.append(Frame.Run(column: column, text: text, style: style, link: link))
            }
            last = atom.style
            column += atom.width
        }
        return runs
    }
}

/// Indents lines.
extension TextLayout {
    private func cellCount(_ runs: [Frame.Run]) -> Int {
        runs.reduce(0) { $0 + CellWidth.of($1.text) }
    }

    /// Returns the prefixes of a block's first line and of its other lines: the indentation, the
    /// bars of quotes, and the bullet or number.
    private func indentation(
        of block: HTMLBlocks.Block
    ) -> (first: [Frame.Run], rest: [Frame.Run]) {
        // Narrow windows have no indentation, and in others it takes at most half the width, so
        // that deeply nested text stays readable.
        let room = width < 24 ? 0 : width / 2
        let quotes = min(block.quoteDepth, room / 4)
        let bars = String(repeating: "│ ", count: quotes)
        let step = TextLayout.listIndentation
        let blanks =
            min(block.listDepth, (room - 2 * quotes) / step) * step
            + (block.kind == .preformatted && room > 0 ? 2 : 0)
        let quote = quotes > 0 ? [Frame.Run(column: 0, text: bars, style: .dim)] : []
        func prefix(_ text: String, _ style: Frame.Style) -> [Frame.Run] {
            text.isEmpty ? quote : quote + [Frame.Run(column: 2 * quotes, text: text, style: style)]
        }
        let rest = prefix(String(repeating: " ", count: blanks), [])
        guard let marker = block.marker else { return (rest, rest) }
        let sign = CellWidth.cut(marker, to: max(1, width / 4)) + " "
        let padding = String(repeating: " ", count: max(0, blanks - CellWidth.of(sign)))
        return (prefix(padding + sign, .dim), rest)
    }
}
