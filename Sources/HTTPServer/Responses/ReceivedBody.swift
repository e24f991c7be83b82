/// A request's body, as the handler gets it.
package enum ReceivedBody: Sendable {
    /// Its content.
    case content([UInt8])
    /// Content that is long, still in gzip (RFC 1952), of no more than so many bytes when it is
    /// decoded: taking it apart is no work for an event loop.
    case coded([UInt8], byteLimit: Int)

    package var isCoded: Bool { if case .coded = self { true } else { false } }

    /// Bytes that it takes in memory.
    package var byteCount: Int {
        switch self {
        case .content(let bytes), .coded(let bytes, _): bytes.count
        }
    }

    /// Its content, whole; what is in gzip is taken apart here and now.
    ///
    /// - Parameter isWanted: Asked now and then whether to go on.
    /// - Returns: `nil` when it was given up.
    /// - Throws: ``BodyRefusal/tooLarge(limit:)``, ``BodyRefusal/malformedCoding(at:)``,
    ///   ``BodyRefusal/truncatedCoding``.
    package func content(while isWanted: () -> Bool = { true }) throws(BodyRefusal) -> [UInt8]? {
        switch self {
        case .content(let bytes): bytes
        case .coded(let bytes, let byteLimit):
            try ReceivedBody.decoded(bytes, byteLimit: byteLimit, while: isWanted)
        }
    }

    /// Bytes taken between two looks whether it is still wanted; they become 4 MiB at most.
    private static let part = 4 << 10

    private static func decoded(
        _ bytes: [UInt8],
        byteLimit: Int,
        while isWanted: () -> Bool
    ) throws(BodyRefusal) -> [UInt8]? {
        let inflater = Inflater(byteLimit: byteLimit)
        var output: [UInt8] = []
        output.reserveCapacity(min(announcedByteCount(bytes), byteLimit))
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

    /// How long the last member says that it is decoded (RFC 1952 §2.3.1); it may be wrong.
    private static func announcedByteCount(_ bytes: [UInt8]) -> Int {
        bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
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

/// Why a body was not taken.
package enum BodyRefusal: Error, Equatable {
    /// 413; the limit is in bytes, before and after decoding.
    case tooLarge(limit: Int)

    /// 415: a content coding other than gzip and identity.
    case unsupportedCoding(String)

    /// 400: it is not what its content coding says, about so many bytes behind its start as it was
    /// sent.
    case malformedCoding(at: Int)

    /// 400: it ends before its content coding does.
    case truncatedCoding

    /// 503: all bodies that arrive now fill the memory there is for them.
    case overloaded
}
