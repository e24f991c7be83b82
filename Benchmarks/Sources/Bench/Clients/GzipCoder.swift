import CLoad
import Foundation

/// A gzip stream, written or read.
final class GzipCoder {
    private let coder: OpaquePointer

    /// Begins a stream: one that is written by a level from 1 to 9, or one that is read.
    init(level: Int? = nil) throws {
        guard let coder = coder_make(level != nil, CInt(level ?? 0)) else {
            throw Failure("there is no memory for gzip")
        }
        self.coder = coder
    }

    deinit { coder_free(coder) }

    /// Takes bytes, and returns all that follows from them.
    func take(_ bytes: [UInt8], isLast: Bool = false) throws -> [UInt8] {
        var size = 0
        guard let output = coder_take(coder, bytes, bytes.count, isLast, &size) else {
            throw Failure("what came is not gzip")
        }
        defer { free(output) }
        return Array(UnsafeRawBufferPointer(start: output, count: size))
    }

    static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        try GzipCoder(level: 6).take(bytes, isLast: true)
    }
}

extension Answer {
    /// The body without its content coding.
    func decodedBody() throws -> [UInt8] {
        let bytes = Array(body)
        return self["Content-Encoding"] == "gzip" ? try GzipCoder().take(bytes) : bytes
    }
}
