package import FeedFormats
package import FeedStore
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
    /// The feed's guard refused to remove so many items.
    case guarded(RemovalGuard.Trip)
    case stopped
    /// It is in the configuration no more.
    case removed

    init(_ error: HTTPClientError) { self = .transport(error) }

    /// What kind of failure it is, for metrics.
    package enum Reason: String, Sendable, CaseIterable {
        /// Nobody answers there, or not in time, or not to the end.
        case unreachable, timeout, broken
        /// The address is inside the machine or a private network.
        case address
        case tls
        /// A status that says no, and the pause that it may ask for.
        case status, pause
        case redirect
        /// A web page in place of a feed.
        case page
        /// Another document that is no feed.
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
        case .guarded: .guard
        case .publishing, .stopped, .removed: .publishing
        }
    }

    /// At most 500 characters: what a source names may be long.
    package var description: String { String(words.prefix(500)) }

    private var words: String {
        switch self {
        case .transport(let error): "\(error)"
        case .status(let status, let words): "it answered \(status): \(words)"
        case .paused(let status, let seconds):
            "it answered \(status) and asked for a pause of \(seconds) s"
        case .redirect(let words), .file(let words), .publishing(let words): words
        case .format(let error): "\(error)"
        case .guarded(let trip): "the feed's guard refused it: \(trip)"
        case .stopped: "the server is stopping"
        case .removed: "the feed has no source any more"
        }
    }
}
