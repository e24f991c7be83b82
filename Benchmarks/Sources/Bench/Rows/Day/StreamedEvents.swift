import Foundation

/// The events of a stream as they arrive: in chunks (RFC 9112 §7.1), compressed or not.
struct StreamedEvents {
    private let coder: GzipCoder?
    private var chunks: [UInt8] = []
    private var text: [UInt8] = []
    /// The bytes of the chunks so far that say nothing but that the stream is alive.
    private(set) var comments: [Int] = []

    init(_ head: Answer) throws {
        guard head.status == 200, head["Transfer-Encoding"] == "chunked" else {
            throw Failure("there is no stream of chunks: \(head.status)")
        }
        coder = head["Content-Encoding"] == "gzip" ? try GzipCoder() : nil
    }

    /// Takes bytes, and returns the data of the events that are complete by then.
    mutating func take(_ bytes: Data) throws -> [[UInt8]] {
        chunks += bytes
        while let (chunk, size) = try takeChunk() {
            let more = try coder?.take(chunk) ?? chunk
            if more.first == UInt8(ascii: ":") { comments.append(size) }
            text += more
        }
        var documents: [[UInt8]] = []
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
            let line = text[..<end]
            if line.starts(with: "data: ".utf8) { documents.append(Array(line.dropFirst(6))) }
            text.removeSubrange(...end)
        }
        return documents
    }

    /// Takes a whole chunk out of what has arrived, and how long it was with its frame.
    private mutating func takeChunk() throws -> (data: [UInt8], size: Int)? {
        guard let end = chunks.firstRange(of: Array("\r\n".utf8)) else { return nil }
        let digits = String(decoding: chunks[..<end.lowerBound], as: UTF8.self)
        guard let length = Int(digits, radix: 16) else { throw Failure("\(digits) is no length") }
        let size = end.upperBound + length + 2
        guard chunks.count >= size else { return nil }
        defer { chunks.removeSubrange(..<size) }
        return (Array(chunks[end.upperBound..<(end.upperBound + length)]), size)
    }
}
