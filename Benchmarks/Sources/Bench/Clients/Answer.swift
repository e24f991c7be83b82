import Foundation

/// An answer as it went over the wire.
struct Answer {
    let bytes: Data
    let status: Int
    let fields: [(name: String, value: String)]
    let body: Data

    init(_ bytes: Data) {
        let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        self.bytes = bytes
        body = bytes[end.upperBound...]
        status = lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0
        fields = lines.dropFirst().compactMap { line in
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
    }

    /// The value of a field.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
