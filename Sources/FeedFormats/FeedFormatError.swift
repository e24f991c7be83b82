/// Why a document is no feed.
package enum FeedFormatError: Error, Equatable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// It is a page, perhaps one that asks for a login or whether one is human.
    case page(title: String?)
    /// It is of a format that is none of a feed; with what it seems to be.
    case unknown(String)
    /// It is JSON with a fault, or of another shape than a mapping says.
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
