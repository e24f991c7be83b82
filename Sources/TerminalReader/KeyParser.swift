/// An input by a person at a terminal.
enum TerminalInput: Equatable {
    case character(Character)
    /// A letter with the control key.
    case control(Character)
    /// Text that was pasted.
    case paste(String)
    case up, down, left, right, home, end, pageUp, pageDown, enter, escape, tab, backspace
    /// The wheel, a notch up or down.
    case wheel(up: Bool)
    /// The first button at a cell, from 0.
    case press(column: Int, row: Int)
    case release
    /// The terminal can show clusters of graphemes as one (mode 2027): it does so, or would.
    case clusters(areSet: Bool)
}

/// Reads what a terminal sends: UTF-8, and sequences of ECMA-48 as xterm names keys and the mouse.
struct KeyParser {
    private var pending: [UInt8] = []
    /// How often it was asked since anything came.
    private var pauses = 0
    /// Whether the rest of a sequence that is too long is passed over.
    private var isSkipping = false
    /// The text that is being pasted (mode 2004); `nil`: none is.
    private var pasted: [UInt8]?

    /// Longer sequences are dropped.
    private static let sequenceLimit = 64
    /// The bytes of a paste that are kept.
    private static let pasteLimit = 4_096
    /// The sequence that ends a paste.
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Whether a sequence has begun, which ``flush()`` may end.
    var isWaiting: Bool { !pending.isEmpty }

    /// Reads what has arrived, cut anywhere.
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
            pending.append(byte)
            if let input = take() { inputs += input }
            if pending.count > KeyParser.sequenceLimit { (pending, isSkipping) = ([], true) }
        }
        return inputs
    }

    /// Takes an escape for the key if nothing has followed it from one call to the next, and gives
    /// up other beginnings after twenty; a slow line may bring the rest until then.
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

    /// Takes a byte of a paste.
    ///
    /// - Returns: The text, once its end has come.
    private mutating func takePasted(_ byte: UInt8) -> String? {
        var text = pasted ?? []
        pasted = nil
        text.append(byte)
        let end = KeyParser.pasteEnd
        guard text.suffix(end.count).elementsEqual(end) else {
            // What is left out comes before what may be the start of the end.
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

    /// Takes the pending input; `nil` while it is not whole.
    private mutating func take() -> [TerminalInput]? {
        guard pending[0] == 0x1B else { return takeText() }
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            let next = pending[1]
            pending = next == 0x1B ? [0x1B] : []
            return next == 0x1B ? [.escape] : [.escape] + (KeyParser.control(next) ?? [])
        }
        guard pending.count > 2, let last = pending.last, 0x40...0x7E ~= last else { return nil }
        let parameters = String(decoding: pending[2..<pending.count - 1], as: UTF8.self)
        defer { pending = [] }
        if last == UInt8(ascii: "~"), parameters == "200" {
            pasted = []
            return []
        }
        return KeyParser.sequence(parameters, Character(Unicode.Scalar(last)))
    }

    private mutating func takeText() -> [TerminalInput]? {
        let first = pending[0]
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
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
        case ("A", _): [.up]
        case ("B", _): [.down]
        case ("C", _): [.right]
        case ("D", _): [.left]
        case ("H", _), ("~", "1"), ("~", "7"): [.home]
        case ("F", _), ("~", "4"), ("~", "8"): [.end]
        case ("~", "5"): [.pageUp]
        case ("~", "6"): [.pageDown]
        // DECRPM, which answers what was asked of a mode: 1 set, 2 reset, 3 set for good.
        case ("y", "?2027;1$"), ("y", "?2027;3$"): [.clusters(areSet: true)]
        case ("y", "?2027;2$"): [.clusters(areSet: false)]
        case ("M", _), ("m", _): mouse(parameters, isPress: last == "M")
        default: []
        }
    }

    /// `<BUTTON;COLUMN;ROW` (xterm's SGR mode, 1006).
    private static func mouse(_ parameters: String, isPress: Bool) -> [TerminalInput] {
        guard parameters.first == "<" else { return [] }
        let numbers = parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return [] }
        switch numbers[0] {
        case 64: return [.wheel(up: true)]
        case 65: return [.wheel(up: false)]
        case 0 where isPress: return [.press(column: numbers[1] - 1, row: numbers[2] - 1)]
        case 0: return [.release]
        default: return []
        }
    }
}
