/// A content coding that the server makes (RFC 9110 §8.4.1).
package enum ContentCoding: Sendable, CaseIterable {
    /// The content as it is.
    case identity
    case gzip

    /// As it stands in fields.
    package var name: String {
        switch self {
        case .identity: "identity"
        case .gzip: "gzip"
        }
    }

    /// What tells the tag of the coded representation from that of the content as it is
    /// (RFC 9110 §8.8.3.3).
    package var tagSuffix: String { self == .identity ? "" : "-" + name }
}

/// How an answer to one request should be coded.
package struct CodingChoice: Sendable, Hashable {
    package var coding: ContentCoding

    /// Whether the client excludes the content as it is: it is coded even where that gains
    /// nothing.
    package var isForced: Bool

    package init(_ coding: ContentCoding, isForced: Bool = false) {
        self.coding = coding
        self.isForced = isForced
    }

    /// The content as it is.
    package static let identity = CodingChoice(.identity)
}
