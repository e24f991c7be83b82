/// A content coding that the server makes (RFC 9110 §8.4.1).
package enum ContentCoding: Sendable, CaseIterable {
    /// The content without a coding.
    case identity
    case gzip

    /// The name in header fields.
    package var name: String {
        switch self {
        case .identity: "identity"
        case .gzip: "gzip"
        }
    }

    /// The suffix that distinguishes the entity tag of the coded content from that of the content
    /// without a coding (RFC 9110 §8.8.3.3).
    package var tagSuffix: String { self == .identity ? "" : "-" + name }
}

/// The choice of a coding for the answer to one request.
package struct CodingChoice: Sendable, Hashable {
    package var coding: ContentCoding

    /// Whether the client excludes the content without a coding: it is then coded even if that does
    /// not make it smaller.
    package var isForced: Bool

    package init(_ coding: ContentCoding, isForced: Bool = false) {
        self.coding = coding
        self.isForced = isForced
    }

    /// The choice of the content without a coding.
    package static let identity = CodingChoice(.identity)
}
