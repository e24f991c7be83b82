public import Foundation

/// An answer of another server, as it went over the wire, for a peer that gives the same answer.
public struct RecordedAnswer: Sendable {
    /// The fields, without the ones that a server sets itself: the date, the length, the
    /// connection.
    public let fields: [(name: String, value: String)]
    /// The bytes after the head.
    public let body: Data

    /// The answer's entity tag.
    public var tag: String? {
        fields.first { $0.name.lowercased() == "etag" }?.value
    }

    /// Reads the file that a command line names.
    ///
    /// - Throws: The error of reading the file; ``Malformed`` when it has no head.
    public init(of arguments: [String]) throws {
        guard arguments.count == 2 else { throw Malformed() }
        let data = try Data(contentsOf: URL(filePath: arguments[1]))
        guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else { throw Malformed() }
        let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        let own = ["date", "content-length", "connection"]
        fields = head.split(separator: "\r\n").dropFirst().compactMap { line in
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            return parts.count == 2 && !own.contains(parts[0].lowercased())
                ? (parts[0], parts[1]) : nil
        }
        body = data[end.upperBound...]
    }

    /// The error that the file has no answer, or that no file is named.
    public struct Malformed: Error {}
}
