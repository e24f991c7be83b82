import Foundation

/// The content of a terminal's screen: lines of styled text.
///
/// Two frames give the bytes that turn one into the other on the terminal.
struct Frame: Equatable {
    /// The style of a text, within the attributes and the basic colors of every terminal.
    struct Style: OptionSet, Hashable {
        let rawValue: Int
        static let bold = Style(rawValue: 1)
        static let dim = Style(rawValue: 2)
        static let inverse = Style(rawValue: 4)
        static let green = Style(rawValue: 8)
        static let yellow = Style(rawValue: 16)
        static let blue = Style(rawValue: 32)
        static let red = Style(rawValue: 64)
        static let italic = Style(rawValue: 128)
        static let underline = Style(rawValue: 256)

        /// Returns the parameters for the control function SGR (ECMA-48 §8.3.117).
        func codes(isColored: Bool) -> String {
            var codes: [String] = []
            if contains(.bold) { codes.append("1") }
            if contains(.dim) { codes.append("2") }
            if contains(.italic) { codes.append("3") }
            if contains(.underline) { codes.append("4") }
            if contains(.inverse) { codes.append("7") }
            if isColored {
                if contains(.red) { codes.append("31") }
                if contains(.green) { codes.append("32") }
                if contains(.yellow) { codes.append("33") }
                if contains(.blue) { codes.append("34") }
            }
            return codes.joined(separator: ";")
        }
    }

    /// A piece of a line, in one style.
    struct Run: Equatable {
        var column: Int
        var text: String
        var style: Style
        /// The address that the text links to.
        var link: String?
    }

    /// The features of a terminal.
    struct Abilities: Equatable {
        var isColored = true
        /// Whether the terminal supports links (OSC 8).
        var hasLinks = true
    }

    let columns: Int
    let rows: Int
    private(set) var lines: [[Run]]
    /// The number of seconds until a displayed age changes; `nil`: none changes.
    private(set) var secondsLeft: Double?

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        lines = Array(repeating: [], count: rows)
    }

    /// Adds text at a position of a line, shortened at the edge.
    ///
    /// Calls for one line go from left to right.
    mutating func put(
        _ text: String,
        row: Int,
        column: Int = 0,
        width: Int? = nil,
        style: Style = [],
        link: String? = nil
    ) {
        guard lines.indices.contains(row), column < columns else { return }
        let room = min(width ?? columns - column, columns - column)
        let cut = CellWidth.cut(ShownText.of(text), to: room)
        guard !cut.isEmpty else { return }
        lines[row].append(Run(column: column, text: cut, style: style, link: link))
    }

    /// Returns the age of a time in words, and records when those words will change.
    mutating func age(of then: Date, at now: Date) -> String {
        let age = Age(of: then, at: now)
        if let left = age.secondsLeft { secondsLeft = min(secondsLeft ?? left, left) }
        return age.words
    }

    /// Returns the bytes that change the screen from another frame to this one, as one synchronized
    /// update; empty if nothing differs.
    ///
    /// - Parameter old: The frame on the screen; `nil`: the content of the screen is unknown.
    func bytes(from old: Frame?, for terminal: Abilities) -> [UInt8] {
        let known = old?.columns == columns && old?.rows == rows ? old : nil
        var text = known == nil ? "\u{1B}[2J" : ""
        for row in 0..<rows where known?.lines[row] != lines[row] {
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K"
            for run in lines[row] { text += bytes(of: run, row, terminal) }
        }
        guard !text.isEmpty else { return [] }
        return Array("\u{1B}[?2026h\(text)\u{1B}[?2026l".utf8)
    }

    private func bytes(of run: Run, _ row: Int, _ terminal: Abilities) -> String {
        let codes = run.style.codes(isColored: terminal.isColored)
        var text = "\u{1B}[\(row + 1);\(run.column + 1)H"
        if !codes.isEmpty { text += "\u{1B}[\(codes)m" }
        let link = terminal.hasLinks ? run.link : nil
        if let link { text += "\u{1B}]8;;\(link)\u{1B}\\" }
        var column = run.column
        for character in run.text {
            let (width, isDoubtful) = CellWidth.of(character)
            text.append(character)
            column += width
            // The position is set again, so that a wrong width does not shift what follows.
            if isDoubtful { text += "\u{1B}[\(row + 1);\(column + 1)H" }
        }
        if link != nil { text += "\u{1B}]8;;\u{1B}\\" }
        return codes.isEmpty ? text : text + "\u{1B}[0m"
    }
}
