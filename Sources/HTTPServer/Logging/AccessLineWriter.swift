import HTTPWire

/// Formats the entries of a batch as lines of the access log.
struct AccessLineWriter {
    private let batch: AccessBatch
    private let format: AccessLog.Format
    /// The time of the previous line in seconds since 1970; lines of one second and address share
    /// ``start`` and ``time``.
    private var seconds = -1
    private var peer: PeerAddress?
    /// The text of ``peer``.
    private var address: [UInt8] = []
    /// The start of a line of the Combined Log Format, up to the user.
    private var start: [UInt8] = []
    /// The part of a line of the Combined Log Format after the user: the time.
    private var time: [UInt8] = []

    init(_ batch: AccessBatch, _ format: AccessLog.Format) {
        self.batch = batch
        self.format = format
    }

    mutating func append(to output: inout [UInt8]) {
        for entry in batch.entries {
            if let peer = entry.peer, peer != self.peer {
                self.peer = peer
                address = peer.text
                start = []
            }
            switch format {
            case .combined: appendCombined(entry, to: &output)
            case .json: appendJSON(entry, to: &output)
            }
            output.append(UInt8(ascii: "\n"))
        }
    }
}

extension AccessLineWriter {
    private mutating func appendCombined(_ entry: AccessBatch.Entry, to output: inout [UInt8]) {
        let seconds = (entry.start + batch.clockOffset) / 1_000_000_000
        if seconds != self.seconds || start.isEmpty || entry.peer == nil {
            start = entry.peer == nil ? [UInt8(ascii: "-")] : address
            start += " - ".utf8
            time = Array(" [".utf8)
            time.appendCommonLogTime(seconds)
            time += "] ".utf8
            // A start without an address must not be used again for a line that has one.
            self.seconds = entry.peer == nil ? -1 : seconds
        }
        output += start
        appendUser(entry.user, to: &output)
        output += time
        appendQuoted(entry.line, to: &output)
        output.append(UInt8(ascii: " "))
        output.append(decimal: entry.status)
        output.append(UInt8(ascii: " "))
        output.append(decimal: entry.byteCount)
        output.append(UInt8(ascii: " "))
        appendQuoted(entry.referer, to: &output)
        output.append(UInt8(ascii: " "))
        appendQuoted(entry.userAgent, to: &output)
    }

    /// Appends the name of the owner of the request's key, or `-` without one; its spaces are
    /// escaped, because a space ends the field.
    private func appendUser(_ user: String?, to output: inout [UInt8]) {
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

    private func appendQuoted(_ text: Range<Int>?, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if let text, !text.isEmpty {
            output.appendLogText(batch.bytes[text])
        } else {
            output.append(UInt8(ascii: "-"))
        }
        output.append(UInt8(ascii: "\""))
    }
}

extension AccessLineWriter {
    private func appendJSON(_ entry: AccessBatch.Entry, to output: inout [UInt8]) {
        output += "{\"time\":\"".utf8
        output.appendLogTime(nanoseconds: entry.start + batch.clockOffset)
        output.append(UInt8(ascii: "\""))
        appendMember("remote", entry.peer == nil ? nil : address[...], to: &output)
        let line = batch.bytes[entry.line]
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].starts(with: "HTTP/".utf8) {
            appendMember("method", parts[0], to: &output)
            appendMember("target", parts[1], to: &output)
            appendMember("version", parts[2], to: &output)
        } else {
            appendMember("line", line, to: &output)
        }
        output += ",\"status\":".utf8
        output.append(decimal: entry.status)
        output += ",\"bytes\":".utf8
        output.append(decimal: entry.byteCount)
        output += ",\"duration_us\":".utf8
        output.append(decimal: (entry.end - entry.start) / 1000)
        if !entry.isComplete { output += ",\"complete\":false".utf8 }
        appendMember("referer", entry.referer.map { batch.bytes[$0] }, to: &output)
        appendMember("user_agent", entry.userAgent.map { batch.bytes[$0] }, to: &output)
        appendMember("key", entry.user.map { ArraySlice($0.utf8) }, to: &output)
        appendMember("trace_id", entry.trace.map { batch.bytes[$0] }, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    private func appendMember(
        _ name: StaticString,
        _ text: ArraySlice<UInt8>?,
        to output: inout [UInt8]
    ) {
        guard let text else { return }
        output += ",\"\(name)\":".utf8
        output.appendLogJSON(text)
    }
}
