import HTTPWire

/// Times as RFC 3339 writes them.
enum Timestamp {
    /// "2026-11-21T16:21:00Z".
    ///
    /// - Parameter seconds: Since 1970, in the years 0 to 9999.
    /// - Returns: 20 characters, in UTC.
    static func rfc3339(_ seconds: Int) -> String {
        var text: [UInt8] = []
        CivilDate(seconds: seconds).appendRFC3339(to: &text, then: UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }
}
