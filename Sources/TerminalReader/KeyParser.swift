import FeedModel

/// An input from the terminal: a key, a paste, or a mouse action.
enum TerminalInput: Equatable {
    case character(Character)
    /// A letter pressed with the control key.
    case control(Character)
    /// A pasted text.
    case paste(String)
    case up, down, left, right, home, end, pageUp, pageDown, enter, escape, tab, backspace
    /// A notch of the mouse wheel.
    case wheel(up: Bool)
    /// A press of the first mouse button; the cells are counted from 0.
    case press(column: Int, row: Int)
}

/// Parses the bytes from a terminal: UTF-8, and the escape sequences (ECMA-48) that xterm sends for
/// keys and the mouse.
struct KeyParser {
    private var pending: [UInt8] = []
    /// The number of calls of ``flush()`` since the last byte.
    private var pauses = 0
    /// Whether the rest of a sequence that was too long is being skipped.
    private var isSkipping = false
    /// The bytes of the paste that is being received (mode 2004); `nil`: none.
    private var pasted: [UInt8]?

    /// The longest sequence in bytes; longer ones are dropped.
    private static let sequenceLimit = 64
    /// The most bytes of a paste that are kept.
    private static let pasteLimit = 4_096
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    /// The start of the sequences that the Linux console sends for F1 to F5; a letter follows.
    private static let consoleKeyStart = Array("\u{1B}[[".utf8)

    /// Whether an unfinished sequence waits for more bytes, or for ``flush()``.
    var isWaiting: Bool { !pending.isEmpty }

    /// Parses the next bytes, which may end within a sequence.
    mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        pauses = 0
        var inputs: [TerminalInput] = []
        for byte in bytes {
            if pasted != nil {
                if let text = takePasted(byte) { inputs.append(.paste(text)) }
                continue
            }
            if isSkipping, byte != 0x1B {
                isSkipping = !(0x40...0x7E ~= byte)
                continue
            }
            isSkipping = false
            // An escape byte within a sequence begins another one.
            if byte == 0x1B, pending.count > 1, pending[0] == 0x1B { pending = [] }
            pending.append(byte)
            if let input = take() { inputs += input }
            if pending.count > KeyParser.sequenceLimit { (pending, isSkipping) = ([], true) }
        }
        return inputs
    }

    /// Ends unfinished sequences; must be called every 50 ms while ``isWaiting``.
    ///
    /// An escape byte is the key if nothing follows until the second call. Other unfinished
    /// sequences are dropped after twenty calls, since a slow line may bring the rest until then.
    mutating func flush() -> [TerminalInput] {
        guard !pending.isEmpty else { return [] }
        pauses += 1
        if pending == [0x1B], pauses > 1 {
            pending = []
            return [.escape]
        }
        if pauses > 20 { pending = [] }
        return []
    }

    /// Adds a byte to the paste, and returns the text at the paste's end.
    private mutating func takePasted(_ byte: UInt8) -> String? {
        var text = pasted ?? []
        pasted = nil
        text.append(byte)
        let end = KeyParser.pasteEnd
        guard text.suffix(end.count).elementsEqual(end) else {
            // A paste that is too long loses bytes before those that may begin the end sequence.
            if text.count > KeyParser.pasteLimit + end.count {
                text.remove(at: KeyParser.pasteLimit)
            }
            pasted = text
            return nil
        }
        return String(
            decoding: text.dropLast(end.count).prefix(KeyParser.pasteLimit),
            as: UTF8.self
        )
    }

    /// Takes the pending bytes as inputs; `nil`: they are not complete yet.
    private mutating func take() -> [TerminalInput]? {
        guard pending[0] == 0x1B else { return takeText() }
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            // The key Alt sends an escape before the other key.
            pending.removeFirst()
            return [.escape] + (take() ?? [])
        }
        guard pending.count > 2, let last = pending.last, 0x40...0x7E ~= last,
            pending != KeyParser.consoleKeyStart
        else { return nil }
        let parameters = String(decoding: pending[2..<pending.count - 1], as: UTF8.self)
        defer { pending = [] }
        if last == UInt8(ascii: "~"), parameters == "200" {
            pasted = []
            return []
        }
        return KeyParser.sequence(parameters, Character(Unicode.Scalar(last)))
    }

    private mutating func takeText() -> [TerminalInput]? {
        if pending.count > 1, let next = pending.last, !(0x80..<0xC0 ~= next) {
            // The rest of the character before is missing.
            pending = [next]
            return [.character("\u{FFFD}")] + (take() ?? [])
        }
        let first = pending[0]
        let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= count else { return nil }
        defer { pending = [] }
        if let control = KeyParser.control(first) { return control }
        let text = String(decoding: pending, as: UTF8.self)
        return text.first.map { [.character($0)] }
    }

    private static func control(_ byte: UInt8) -> [TerminalInput]? {
        switch byte {
        case 0x09: [.tab]
        case 0x0A, 0x0D: [.enter]
        case 0x08, 0x7F: [.backspace]
        case 0x01...0x1A: [.control(Character(Unicode.Scalar(byte + 0x60)))]
        case 0x00..<0x20: []
        default: nil
        }
    }

    private static func sequence(_ parameters: String, _ last: Character) -> [TerminalInput] {
        switch (last, parameters) {
        case (_, "["): []
        case ("A", _): [.up]
        case ("B", _): [.down]
        case ("C", _): [.right]
        case ("D", _): [.left]
        case ("H", _), ("~", "1"), ("~", "7"): [.home]
        case ("F", _), ("~", "4"), ("~", "8"): [.end]
        case ("~", "5"): [.pageUp]
        case ("~", "6"): [.pageDown]
        case ("M", _), ("m", _): mouse(parameters, isPress: last == "M")
        default: []
        }
    }

    /// Parses `<BUTTON;COLUMN;ROW` (xterm's SGR mode, 1006).
    private static func mouse(_ parameters: String, isPress: Bool) -> [TerminalInput] {
        guard parameters.first == "<" else { return [] }
        let words = parameters.dropFirst().split(separator: ";")
        let numbers = words.compactMap { Int(digits: $0.utf8) }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return [] }
        switch numbers[0] {
        case 64: return [.wheel(up: true)]
        case 65: return [.wheel(up: false)]
        case 0 where isPress: return [.press(column: numbers[1] - 1, row: numbers[2] - 1)]
        default: return []
        }
    }
}
