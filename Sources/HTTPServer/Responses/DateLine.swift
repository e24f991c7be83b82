import HTTPWire

/// The Date field, written once a second (RFC 9110 §6.6.1).
final class DateLine {
    private var seconds = -1
    /// The line as the last of a head, with the empty one that ends it.
    private(set) var lastLine: [UInt8] = []

    /// Has it say that time, in seconds since 1970.
    func refresh(_ now: Int) {
        guard now != seconds else { return }
        seconds = now
        lastLine = Array("Date: ".utf8) + HTTPDate.format(now) + Array("\r\n\r\n".utf8)
    }
}
