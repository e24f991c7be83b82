import Platform

/// The header of the PROXY protocol, version 1 or 2, that a proxy sends before the client's bytes:
/// it states the address of the client (haproxy.org/download/3.0/doc/proxy-protocol.txt).
///
/// Bytes are taken as they arrive, and none after the header.
struct ProxyHeader {
    /// The error for bytes that are no header of version 1 or 2; the connection is then closed (§2
    /// of the specification).
    struct Malformed: Error {}

    /// The header's bytes so far, without the extensions of version 2, which are dropped at once.
    private var bytes: [UInt8] = []
    /// The number of bytes of extensions of version 2 that are still to come.
    private var extensionByteCount = 0
    private(set) var isComplete = false
    /// The address of the client; `nil` for the proxy's own connection, or if the proxy does not
    /// know.
    private(set) var source: IPAddress?

    /// The longest line of version 1 in bytes, including its line end (§2.1).
    private static let longestLine = 107
    private static let lineStart = Array("PROXY".utf8)
    /// The first bytes of version 2 (§2.2).
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// The number of bytes of version 2 before the addresses: signature, command, family and
    /// length.
    private static let fixedByteCount = 16

    /// Takes the bytes of the header from the start of `input`, and returns their number; it is
    /// less than given only if the header is complete.
    ///
    /// - Throws: ``Malformed``, as soon as the bytes cannot become a header.
    mutating func take(_ input: Span<UInt8>) throws(Malformed) -> Int {
        var offset = 0
        while offset < input.count, !isComplete {
            if extensionByteCount > 0 {
                let count = min(extensionByteCount, input.count - offset)
                extensionByteCount -= count
                offset += count
                if extensionByteCount == 0 { isComplete = true }
                continue
            }
            bytes.append(input[offset])
            offset += 1
            try parse()
        }
        return offset
    }

    private mutating func parse() throws(Malformed) {
        if bytes[0] == ProxyHeader.signature[0] {
            try parseBinary()
        } else {
            try parseLine()
        }
    }
}

/// Parses version 1, a line of text (§2.1).
extension ProxyHeader {
    private mutating func parseLine() throws(Malformed) {
        let start = ProxyHeader.lineStart
        guard start.prefix(bytes.count).elementsEqual(bytes.prefix(start.count)),
            bytes.count <= ProxyHeader.longestLine
        else { throw Malformed() }
        guard bytes.last == UInt8(ascii: "\n") else { return }
        guard bytes.dropLast().last == UInt8(ascii: "\r") else { throw Malformed() }
        let words = bytes.dropLast(2).split(
            separator: UInt8(ascii: " "),
            omittingEmptySubsequences: false
        )
        source = try ProxyHeader.source(of: words)
        isComplete = true
    }

    /// Returns the client's address from the words of a line; `nil` if the proxy does not know it.
    private static func source(of words: [ArraySlice<UInt8>]) throws(Malformed) -> IPAddress? {
        guard words.count >= 2, words[0].elementsEqual(lineStart) else { throw Malformed() }
        let family = String(decoding: words[1], as: UTF8.self)
        // An UNKNOWN line may contain more, which is to be ignored.
        if family == "UNKNOWN" { return nil }
        guard family == "TCP4" || family == "TCP6", words.count == 6,
            let source = address(words[2], family), address(words[3], family) != nil,
            isPort(words[4]), isPort(words[5])
        else { throw Malformed() }
        return source
    }

    private static func address(_ word: ArraySlice<UInt8>, _ family: String) -> IPAddress? {
        guard word.contains(UInt8(ascii: ":")) == (family == "TCP6") else { return nil }
        return IPAddress(Array(word).span)
    }

    private static func isPort(_ word: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        guard let number = UInt16(text) else { return false }
        return String(number) == text
    }
}

/// Parses version 2, which is binary (§2.2).
extension ProxyHeader {
    private mutating func parseBinary() throws(Malformed) {
        let signature = ProxyHeader.signature
        guard bytes.count > signature.count else {
            guard signature.starts(with: bytes) else { throw Malformed() }
            return
        }
        guard bytes.count >= ProxyHeader.fixedByteCount else { return }
        let length = Int(bytes[14]) << 8 | Int(bytes[15])
        let addressByteCount = try ProxyHeader.addressByteCount(bytes[12], bytes[13])
        guard length >= addressByteCount else { throw Malformed() }
        guard bytes.count == ProxyHeader.fixedByteCount + addressByteCount else { return }
        if addressByteCount > 0 {
            // The addresses are the source's and the destination's, followed by two ports.
            let addresses = bytes[ProxyHeader.fixedByteCount...]
            source = IPAddress(octets: addresses.prefix((addressByteCount - 4) / 2))
        }
        extensionByteCount = length - addressByteCount
        isComplete = extensionByteCount == 0
    }

    /// Returns the number of bytes of the addresses and ports, by the header's bytes 12 (version
    /// and command) and 13 (address family and transport); 0 if the header names no client.
    private static func addressByteCount(
        _ command: UInt8,
        _ family: UInt8
    ) throws(Malformed) -> Int {
        switch (command, family) {
        // The connection is the proxy's own, such as a health check.
        case (0x20, _): return 0
        case (0x21, 0x11), (0x21, 0x12): return 12
        case (0x21, 0x21), (0x21, 0x22): return 36
        // The family is unspecified, or the sockets are local to the proxy's machine.
        case (0x21, 0x00), (0x21, 0x31), (0x21, 0x32): return 0
        default: throw Malformed()
        }
    }
}
