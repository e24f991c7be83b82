/// A request's body, as the handler gets it.
package enum ReceivedBody: Sendable {
    /// Its content.
    case content([UInt8])
    /// Content that is long, still in gzip: taking it apart is no work for an event loop.
    case coded(CodedContent)

    package var isCoded: Bool { if case .coded = self { true } else { false } }

    /// Bytes that it takes in memory.
    package var byteCount: Int {
        switch self {
        case .content(let bytes): bytes.count
        case .coded(let content): content.byteCount
        }
    }

    /// Its content, whole; what is in gzip is taken apart here and now.
    ///
    /// - Parameter isWanted: Asked now and then whether to go on.
    /// - Returns: `nil` when it was given up.
    /// - Throws: ``BodyRefusal/tooLarge(limit:)``, ``BodyRefusal/malformedCoding(at:)``,
    ///   ``BodyRefusal/truncatedCoding``.
    package func content(
        while isWanted: () -> Bool = { true }
    ) throws(BodyRefusal) -> [UInt8]? {
        switch self {
        case .content(let bytes): bytes
        case .coded(let content): try content.decoded(while: isWanted)
        }
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
