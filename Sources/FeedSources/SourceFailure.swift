package import FeedAPI
package import FeedFormats
package import HTTPClient

/// The reason why a source could not be fetched, read or published.
package enum SourceFailure: Error, Equatable, CustomStringConvertible {
    case transport(HTTPClientError)
    case status(Int, String)
    /// The source has asked for a pause.
    case paused(Int, seconds: Int)
    case redirect(String)
    case format(FeedFormatError)
    /// A file that cannot be read.
    case file(String)
    /// The feed cannot be published.
    case refused(SourceRefusal)
    case stopped
    /// The source is not in the configuration any more.
    case removed

    /// The kind of failure, for metrics.
    package enum Reason: String, Sendable, CaseIterable {
        /// The server cannot be reached, does not answer in time, or breaks the response off.
        case unreachable, timeout, broken
        /// The address is inside the machine or a private network.
        case address
        case tls
        /// An error status, and an error status with a pause.
        case status, pause
        case redirect
        /// A web page in place of a feed.
        case page
        /// Another document that is not a feed.
        case format
        case file
        /// The feed cannot be published, or the server ends.
        case publishing
        /// The feed's guard refused to remove so many items.
        case `guard`
    }

    var reason: Reason {
        switch self {
        case .transport(let error):
            switch error {
            case .refusedAddress: .address
            case .tls: .tls
            case .timedOut: .timeout
            case .unreachable, .invalidURL: .unreachable
            case .bodyTooLarge, .headTooLarge, .broken, .cancelled, .unavailable: .broken
            }
        case .status: .status
        case .paused: .pause
        case .redirect: .redirect
        case .format(.page): .page
        case .format: .format
        case .file: .file
        case .refused(.guarded): .guard
        case .refused, .stopped, .removed: .publishing
        }
    }

    /// The failure in words, at most 500 characters: names from a source may be long.
    package var description: String { String(words.prefix(500)) }

    private var words: String {
        switch self {
        case .transport(let error): "\(error)"
        case .status(let status, let words): "it answered \(status): \(words)"
        case .paused(let status, let seconds):
            "it answered \(status) and asked for a pause of \(seconds) s"
        case .redirect(let words), .file(let words): words
        case .format(let error): "\(error)"
        case .refused(.guarded(let refusal)): "the feed's guard refused it: \(refusal)"
        case .refused(let refusal): "\(refusal)"
        case .stopped: "the server is stopping"
        case .removed: "the feed has no source any more"
        }
    }
}
