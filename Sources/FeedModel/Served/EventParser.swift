/// Parses a `text/event-stream` as it arrives (HTML Standard, "Server-sent events").
package struct EventParser {
    /// A part of the stream that was parsed.
    package enum Part: Equatable {
        /// An event that has data.
        case event(ServerEvent)
        /// The time to wait before reconnecting, in milliseconds.
        case retry(Int)
        /// A comment, which a server sends to keep the connection open.
        case heartbeat
    }

    /// The error of a stream with a line or an event that has more bytes than the limit.
    package struct TooLong: Error, CustomStringConvertible {
        package var description: String { "the stream has a line or an event without an end" }
    }

    private let byteLimit: Int

    /// Makes a parser of events and lines of at most `byteLimit` bytes, by default more than a
    /// server of this protocol sends.
    package init(byteLimit: Int = 256 << 20) { self.byteLimit = byteLimit }

    private var line: [UInt8] = []
    /// Whether the last byte was a carriage return; a line feed right after it ends the same line.
    private var isAfterReturn = false
    private var isAtStart = true
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id: String?

    /// Parses the next bytes of the stream, which may end within a line, and returns the parts that
    /// end in them.
    ///
    /// - Throws: ``TooLong`` for a line or an event with more bytes than the limit.
    package mutating func parse(_ bytes: some Collection<UInt8>) throws(TooLong) -> [Part] {
        var parts: [Part] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == 0x0D }) {
            let endsSameLine =
                isAfterReturn && end == rest.startIndex && rest[end] == UInt8(ascii: "\n")
            line += rest[..<end]
            isAfterReturn = rest[end] == 0x0D
            rest = rest[rest.index(after: end)...]
            if !endsSameLine, let part = endLine() { parts.append(part) }
        }
        if !rest.isEmpty { isAfterReturn = false }
        line += rest
        guard line.count <= byteLimit, data.count <= byteLimit else {
            throw TooLong()
        }
        return parts
    }

    private mutating func endLine() -> Part? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        if line[0] == UInt8(ascii: ":") { return .heartbeat }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data += value
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry":
            if let time = Int(digits: value) { return .retry(time) }
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Part? {
        defer { (name, data, hasData, id) = ("", [], false, nil) }
        guard hasData else { return nil }
        return .event(ServerEvent(name: name.isEmpty ? "message" : name, data: data, id: id))
    }
}

/// An event of a stream.
package struct ServerEvent: Equatable {
    package let name: String
    package let data: [UInt8]
    /// The value of the event's field `id`, with which the stream can be continued after this
    /// event; `nil` if the event has none.
    ///
    /// A client that reconnects sends the last id that it received.
    package let id: String?
}
