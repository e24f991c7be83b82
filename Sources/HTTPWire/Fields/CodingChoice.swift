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
