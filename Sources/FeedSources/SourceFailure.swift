package import FeedFormats
package import HTTPClient

/// Why a source gave nothing.
package enum SourceFailure: Error, Equatable, CustomStringConvertible {
    case transport(HTTPClientError)
    case status(Int, String)
    /// It has asked for a pause.
    case paused(Int, seconds: Int)
    case redirect(String)
    case format(FeedFormatError)
    /// A file that cannot be read.
    case file(String)
    /// The feed cannot be published.
    case publishing(String)
    case stopped
    /// It is in the configuration no more.
    case removed

    init(_ error: HTTPClientError) { self = .transport(error) }

    package var description: String {
        switch self {
        case .transport(let error): "\(error)"
        case .status(let status, let words): "it answered \(status): \(words)"
        case .paused(let status, let seconds):
            "it answered \(status) and asked for a pause of \(seconds) s"
        case .redirect(let words), .file(let words), .publishing(let words): words
        case .format(let error): "\(error)"
        case .stopped: "the server is stopping"
        case .removed: "the feed has no source any more"
        }
    }
}
