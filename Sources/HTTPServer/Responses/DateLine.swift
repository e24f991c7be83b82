import HTTPWire

/// The Date field, written once a second (RFC 9110 §6.6.1).
final class DateLine {
    private var seconds = -1
    /// The Date line as the last line of a head, followed by the empty line that ends the head.
    private(set) var lastLine: [UInt8] = []

    /// Makes the line for a time, in seconds since 1970.
    func refresh(_ now: Int) {
        guard now != seconds else { return }
        seconds = now
        lastLine = Array("Date: ".utf8) + HTTPDate.format(now) + Array("\r\n\r\n".utf8)
    }
}
