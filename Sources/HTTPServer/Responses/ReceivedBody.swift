import Gzip

/// A request's body as the handler gets it.
package enum ReceivedBody: Sendable {
    /// The content, without any coding.
    case content([UInt8])
    /// Long content that is still in gzip (RFC 1952), at most `byteLimit` bytes when decoded:
    /// decoding it would take too long on an event loop.
    case coded([UInt8], byteLimit: Int)

    package var isCoded: Bool { if case .coded = self { true } else { false } }

    /// The approximate number of bytes of memory that the body takes.
    package var byteCount: Int {
        switch self {
        case .content(let bytes), .coded(let bytes, _): bytes.count
        }
    }

    /// Returns the whole content, and decodes it first if it is in gzip; `nil` if `isWanted`,
    /// called after each part that is decoded, returned false.
    ///
    /// - Throws: ``BodyRefusal/tooLarge(limit:)``, ``BodyRefusal/malformedCoding(at:)``,
    ///   ``BodyRefusal/truncatedCoding``.
    package func content(while isWanted: () -> Bool = { true }) throws(BodyRefusal) -> [UInt8]? {
        switch self {
        case .content(let bytes): bytes
        case .coded(let bytes, let byteLimit):
            try ReceivedBody.decoded(bytes, byteLimit: byteLimit, while: isWanted)
        }
    }

    /// The number of compressed bytes decoded between two calls of `isWanted`; decoded, they are at
    /// most about 4 MiB.
    private static let part = 4 << 10

    private static func decoded(
        _ bytes: [UInt8],
        byteLimit: Int,
        while isWanted: () -> Bool
    ) throws(BodyRefusal) -> [UInt8]? {
        let inflater = Inflater(byteLimit: byteLimit)
        var output: [UInt8] = []
        var start = 0
        do throws(Inflater.Failure) {
            while start < bytes.count {
                guard isWanted() else { return nil }
                let end = min(start + part, bytes.count)
                try inflater.decode(Array(bytes[start..<end]), into: &output)
                start = end
            }
            guard inflater.isAtEnd else { throw .truncated }
        } catch {
            throw BodyRefusal(error, byteLimit: byteLimit)
        }
        return output
    }
}

extension BodyRefusal {
    init(_ failure: Inflater.Failure, byteLimit: Int) {
        switch failure {
        case .tooLarge: self = .tooLarge(limit: byteLimit)
        case .malformed(let offset): self = .malformedCoding(at: offset)
        case .truncated: self = .truncatedCoding
        }
    }
}

/// The reason why a body was refused; each case names the status of the response.
package enum BodyRefusal: Error, Equatable {
    /// 413; the limit is in bytes, before and after decoding.
    case tooLarge(limit: Int)

    /// 415: a content coding other than gzip and identity.
    case unsupportedCoding(String)

    /// 400: the body is malformed in its content coding, near this offset in the bytes as they were
    /// sent.
    case malformedCoding(at: Int)

    /// 400: the body ends before its content coding is complete.
    case truncatedCoding

    /// 503: arriving bodies already fill the memory that they may use.
    case overloaded
}
