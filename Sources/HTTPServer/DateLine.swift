import HTTPWire

/// The Date field, written once a second (RFC 9110 §6.6.1).
struct DateLine {
    private var seconds = -1
    private var bytes: [UInt8] = []

    mutating func append(to output: inout [UInt8], seconds now: Int) {
        if now != seconds {
            seconds = now
            bytes = Array("Date: ".utf8) + HTTPDate.format(now) + Array("\r\n".utf8)
        }
        output += bytes
    }
}
