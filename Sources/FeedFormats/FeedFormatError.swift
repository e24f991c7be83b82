/// The reason why a document cannot be read as a feed.
package enum FeedFormatError: Error, Equatable, CustomStringConvertible {
    /// The document is empty.
    case empty
    /// The document is a web page, perhaps one that asks for a login or whether the reader is
    /// human.
    case page(title: String?)
    /// The document's format is not a feed's; the text says what it seems to be.
    case unknown(String)
    /// The document is JSON with a fault, or of another shape than a mapping says.
    case malformed(String)

    package var description: String {
        switch self {
        case .empty: "the document is empty"
        case .page(let title):
            "the document is a web page" + (title.map { ", “\($0.prefix(100))”" } ?? "")
        case .unknown(let what): "the document is no feed: \(what)"
        case .malformed(let reason): "the document is malformed: \(reason)"
        }
    }
}
