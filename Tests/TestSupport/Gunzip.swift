import CZlib

/// What a gzip stream (RFC 1952) holds; `nil` when it is none, or not whole.
package func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard freshet_inflateInit(&stream, 15 + 16) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let isWhole = input.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        var status = Z_OK
        while status == Z_OK {
            let count = part.withUnsafeMutableBufferPointer { target in
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                status = inflate(&stream, Z_NO_FLUSH)
                return target.count - Int(stream.avail_out)
            }
            output += part[..<count]
        }
        return status == Z_STREAM_END
    }
    return isWhole ? output : nil
}
