import CZlib
import HTTPClient
import HTTPTypes

/// Undoes the content codings of a response (RFC 9110 §8.4) as browsers do, even where its fields
/// name them wrongly.
enum ContentCoding {
    /// The value of `Accept-Encoding`: the codings that are undone here.
    static let accepted = "gzip, deflate"

    /// The registered codings that are not supported here; requests do not ask for them.
    private static let others: Set<Substring> = [
        "br", "zstd", "compress", "x-compress", "dcb", "dcz",
    ]

    /// Returns the body of a response without its codings.
    ///
    /// Names that are no codings, such as names of charsets, are ignored. A body in gzip is
    /// decompressed even if no field names the coding. A body without a coding is returned as it
    /// is, also if a field names one.
    ///
    /// - Parameter limit: The most bytes that a decompressed body may have.
    /// - Throws: ``HTTPClientError`` for a body that is damaged, cut off, too long or in a coding
    ///   that is not supported.
    static func content(
        of response: HTTPClient.Response,
        limit: Int
    ) throws(HTTPClientError) -> [UInt8] {
        var body = response.body
        let names = (response.fields[.contentEncoding] ?? "").lowercased()
            .split { $0 == "," || $0 == " " || $0 == "\t" }
        for name in names.suffix(5).reversed() {
            if others.contains(name) {
                throw .broken("its content is coded as \(name), which was not asked for")
            }
            if ["gzip", "x-gzip", "deflate"].contains(name) {
                body = try decompressed(body, limit)
            }
        }
        // Some servers send a gzip file without naming its coding.
        return isGzip(body[...]) ? try decompressed(body, limit) : body
    }

    /// Returns whether bytes begin as gzip does (RFC 1952 §2.3.1).
    private static func isGzip(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: [0x1F, 0x8B, 0x08])
    }

    private static func decompressed(
        _ body: [UInt8],
        _ limit: Int
    ) throws(HTTPClientError) -> [UInt8] {
        // Some servers send deflate without the format of zlib around it (RFC 9110 §8.4.1.2).
        for format in isGzip(body[...]) ? [Format.gzip] : [.zlib, .bare] {
            let (output, end) = inflated(body, format, limit: limit)
            switch end {
            case .whole: return output
            case .tooLong: throw .bodyTooLarge(limit: limit)
            case .early where format == .gzip: throw .broken("its gzip is cut off")
            case .damaged where format == .gzip: throw .broken("its gzip is damaged")
            case .early, .damaged: break
            }
        }
        return body
    }

    /// The format around deflate, as zlib's number of window bits.
    private enum Format: CInt {
        case zlib = 15
        case bare = -15
        case gzip = 31
    }

    private enum End { case whole, damaged, early, tooLong }

    /// Decompresses one stream of zlib or deflate, or all whole members of a gzip file; later bytes
    /// are ignored.
    private static func inflated(
        _ bytes: [UInt8],
        _ format: Format,
        limit: Int
    ) -> (output: [UInt8], end: End) {
        // zlib keeps the address of its stream, so the stream must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            inflateEnd(stream)
            stream.deallocate()
        }
        guard freshet_inflateInit(stream, format.rawValue) == Z_OK else { return ([], .damaged) }
        var (input, output): ([UInt8], [UInt8]) = (bytes, [])
        var part = [UInt8](repeating: 0, count: 64 << 10)
        var status = Z_OK
        /// The output's length at the end of the last whole member.
        var wholeCount: Int?
        input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = UInt32(clamping: source.count)
            while status == Z_OK, output.count <= limit {
                let count = part.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(target.count)
                    status = inflate(stream, Z_NO_FLUSH)
                    return target.count - Int(stream.pointee.avail_out)
                }
                output += part[..<count]
                guard status == Z_STREAM_END else { continue }
                wholeCount = output.count
                let rest = bytes.suffix(Int(stream.pointee.avail_in))
                if format == .gzip, isGzip(rest) { status = inflateReset(stream) }
            }
        }
        if output.count > limit { return ([], .tooLong) }
        if let wholeCount { return (Array(output.prefix(wholeCount)), .whole) }
        return ([], status == Z_BUF_ERROR ? .early : .damaged)
    }
}
