import HTTPWire

/// The Date field, written once a second (RFC 9110 §6.6.1).
struct DateLine {
    private var seconds = -1
    /// The line, and the empty one that ends a head.
    private var bytes: [UInt8] = []

    mutating func append(to output: inout [UInt8], seconds now: Int) {
        refresh(now)
        bytes.withUnsafeBufferPointer { output.append(contentsOf: $0.dropLast(2)) }
    }

    /// Adds the line as the last of a head, with the head's end.
    mutating func appendAsLast(to output: inout [UInt8], seconds now: Int) {
        refresh(now)
        bytes.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    }

    private mutating func refresh(_ now: Int) {
        guard now != seconds else { return }
        seconds = now
        bytes = Array("Date: ".utf8) + HTTPDate.format(now) + Array("\r\n\r\n".utf8)
    }
}
