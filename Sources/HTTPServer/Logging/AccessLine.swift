import HTTPWire
import Platform

/// The facts about an exchange that its line of the access log states, beside the request's head.
struct AccessLine {
    /// The sender of the request; `nil` if its address is not an IP address.
    let peer: IPAddress?
    /// The name of the owner of the request's key; `nil` without one.
    let user: String?
    let status: Int
    /// The number of bytes of content that the socket took.
    let byteCount: Int
    /// The time at which the loop found the request's bytes, in nanoseconds since 1970.
    let start: Int
    /// The nanoseconds from ``start`` until the last byte was passed to the socket.
    let duration: Int
    /// Whether the whole response was passed to the socket.
    let isComplete: Bool

    /// Appends the line of a request, of whose head only a part may have arrived.
    func append(of head: borrowing RequestHead, for log: AccessLog, to output: inout [UInt8]) {
        let line = head.line(hiding: log.secretPaths)
        switch log.format {
        case .combined: appendCombined(line, head, to: &output)
        case .json: appendJSON(line, head, to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }
}

extension AccessLine {
    private func appendCombined(
        _ line: [UInt8],
        _ head: borrowing RequestHead,
        to output: inout [UInt8]
    ) {
        output += peer?.text ?? [UInt8(ascii: "-")]
        output += " - ".utf8
        appendUser(to: &output)
        output += " [".utf8
        output.appendCommonLogTime(start / 1_000_000_000)
        output += "] ".utf8
        output.appendQuoted(line[...])
        output.append(UInt8(ascii: " "))
        output.append(decimal: status)
        output.append(UInt8(ascii: " "))
        output.append(decimal: byteCount)
        output.append(UInt8(ascii: " "))
        output.appendQuoted(head.logged(head.first(.referer)))
        output.append(UInt8(ascii: " "))
        output.appendQuoted(head.logged(head.first(.userAgent)))
    }

    /// Appends the name of the owner of the request's key, or `-` without one; its spaces are
    /// escaped, because a space ends the field.
    private func appendUser(to output: inout [UInt8]) {
        guard let user, !user.isEmpty else {
            output.append(UInt8(ascii: "-"))
            return
        }
        var text: [UInt8] = []
        text.appendLogText(ArraySlice(user.utf8))
        for byte in text {
            if byte == UInt8(ascii: " ") { output += "\\x20".utf8 } else { output.append(byte) }
        }
    }

    private func appendJSON(
        _ line: [UInt8],
        _ head: borrowing RequestHead,
        to output: inout [UInt8]
    ) {
        output += "{\"time\":\"".utf8
        output.appendLogTime(nanoseconds: start)
        output.append(UInt8(ascii: "\""))
        output.appendMember("remote", peer?.text[...])
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].starts(with: "HTTP/".utf8) {
            output.appendMember("method", parts[0])
            output.appendMember("target", parts[1])
            output.appendMember("version", parts[2])
        } else {
            output.appendMember("line", line[...])
        }
        output += ",\"status\":".utf8
        output.append(decimal: status)
        output += ",\"bytes\":".utf8
        output.append(decimal: byteCount)
        output += ",\"duration_us\":".utf8
        output.append(decimal: duration / 1000)
        if !isComplete { output += ",\"complete\":false".utf8 }
        output.appendMember("referer", head.logged(head.first(.referer)))
        output.appendMember("user_agent", head.logged(head.first(.userAgent)))
        output.appendMember("key", user.map { ArraySlice($0.utf8) })
        output.appendMember("trace_id", head.traceID.map { ArraySlice($0) })
        output.append(UInt8(ascii: "}"))
    }
}

extension [UInt8] {
    /// Appends a text between quotes, or `-` in place of one that is missing or empty.
    fileprivate mutating func appendQuoted(_ text: ArraySlice<UInt8>?) {
        append(UInt8(ascii: "\""))
        if let text, !text.isEmpty { appendLogText(text) } else { append(UInt8(ascii: "-")) }
        append(UInt8(ascii: "\""))
    }

    /// Appends a member of a JSON object after others; none if there is no text.
    fileprivate mutating func appendMember(_ name: StaticString, _ text: ArraySlice<UInt8>?) {
        guard let text else { return }
        self += ",\"\(name)\":".utf8
        appendLogJSON(text)
    }
}

extension RequestHead {
    /// Returns a field's value as far as it is logged, at most 1024 bytes; `nil` without the field.
    fileprivate func logged(_ value: Range<Int>?) -> ArraySlice<UInt8>? {
        value.map { bytes[$0].prefix(1024) }
    }

    /// Returns the request line, or the part that arrived, with `…` in place of secrets.
    fileprivate func line(hiding secrets: [String]) -> [UInt8] {
        let line = bytes[..<lineCount]
        for secret in secrets {
            let starts = line.indices.lazy.compactMap { line[$0...].end(ofPrefix: secret.utf8) }
            guard let start = starts.first else { continue }
            let end = line[start...].firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
            return line[..<start] + Array("…".utf8) + line[end...]
        }
        return Array(line)
    }

    /// The length of the request line in bytes, or of the part that arrived.
    fileprivate var lineCount: Int {
        // With fields, the line is complete; it ends somewhere after its target.
        let start = fields.isEmpty ? 0 : target.upperBound
        let end = bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        }
        return end ?? bytes.count
    }
}

extension ArraySlice<UInt8> {
    /// Returns the index behind a text with which the slice begins, whose bytes may be
    /// percent-encoded; `nil` if it begins otherwise.
    fileprivate func end(ofPrefix text: some Sequence<UInt8>) -> Int? {
        var index = startIndex
        for byte in text {
            guard index < endIndex else { return nil }
            if self[index] == byte {
                index += 1
                continue
            }
            guard self[index] == UInt8(ascii: "%"), index + 2 < endIndex,
                let high = self[index + 1].hexDigitValue, let low = self[index + 2].hexDigitValue,
                high << 4 | low == byte
            else { return nil }
            index += 3
        }
        return index
    }
}
