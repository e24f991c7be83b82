import Gzip
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
        return isGzip(body) ? try decompressed(body, limit) : body
    }

    /// Returns whether bytes begin as gzip does (RFC 1952 §2.3.1).
    private static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

    private static func decompressed(
        _ body: [UInt8],
        _ limit: Int
    ) throws(HTTPClientError) -> [UInt8] {
        let isGzip = isGzip(body)
        // Some servers send deflate without the format of zlib around it (RFC 9110 §8.4.1.2).
        for windowBits in isGzip ? [Inflater.gzipWindowBits] : [15, -15] {
            let inflater = Inflater(byteLimit: limit, windowBits: windowBits)
            var output: [UInt8] = []
            var failure: Inflater.Failure?
            do throws(Inflater.Failure) {
                try inflater.decode(body, into: &output)
            } catch {
                failure = error
            }
            if failure == .tooLarge { throw .bodyTooLarge(limit: limit) }
            // Bytes behind the last whole member are ignored.
            if let count = inflater.wholeByteCount { return Array(output.prefix(count)) }
            if isGzip {
                throw .broken(failure == nil ? "its gzip is cut off" : "its gzip is damaged")
            }
        }
        return body
    }
}
