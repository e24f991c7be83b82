import CZlib

/// What a gzip stream (RFC 1952) holds; `nil` when it is none, or not whole.
package func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
    let decoder = ContentDecoder()
    let output = decoder.decode(bytes)
    return decoder.isAtEnd ? output : nil
}

/// Decodes a content in gzip as it arrives.
package final class ContentDecoder {
    private let stream: UnsafeMutablePointer<z_stream>
    private var status = Z_OK

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        status = freshet_inflateInit(stream, 15 + 16)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the content is whole.
    package var isAtEnd: Bool { status == Z_STREAM_END }

    /// What can be told from all bytes up to these; `nil` when they are malformed.
    package func decode(_ bytes: [UInt8]) -> [UInt8]? {
        var input = bytes
        var output: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = UInt32(source.count)
            while status == Z_OK {
                let count = part.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(target.count)
                    status = inflate(stream, Z_NO_FLUSH)
                    return target.count - Int(stream.pointee.avail_out)
                }
                output += part[..<count]
            }
            stream.pointee.next_in = nil
        }
        // For want of input, which may follow.
        if status == Z_BUF_ERROR { status = Z_OK }
        return status == Z_OK || isAtEnd ? output : nil
    }
}
