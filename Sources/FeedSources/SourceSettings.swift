package import FeedFormats
package import FeedModel
import HTTPClient
package import HTTPTypes

/// The operator's settings for the source of a feed.
package struct SourceSettings: Sendable, Equatable {
    /// The location of a source.
    package enum Location: Sendable, Equatable {
        /// An address of `http` or `https`.
        case web(String)
        /// A file's path, below ``SourceSettings/folder`` where there is one.
        case file(String)
    }

    package var feed: FeedName
    /// The source's location; an address is kept in the form in which it is requested.
    package var location: Location { didSet { location = location.normalized } }
    /// The folder that a file must be in, even after all links; `nil`: anywhere, only for an
    /// operator's own commands.
    package var folder: String?
    /// The time between fetches; `nil`: as the publisher asks and as often as the source changes.
    package var every: Duration?
    package var keeping = SourceKeeping.nothing
    /// The feed's title in place of the source's own.
    package var title: String?
    /// Whether the source's host may be inside the machine or a private network, at its port.
    package var allowsPrivate = false
    /// The address of a hub that may be inside the machine or a private network, too.
    package var privateHub: String?
    /// Whether a redirect may lead from `https` to `http`.
    package var allowsDowngrade = false
    /// The header fields sent with each request to the source's origin, such as Authorization.
    package var fields = HTTPFields()
    /// The address of the proxy that requests go through; `nil`: none, whatever the environment
    /// says.
    package var proxy: String?
    /// A file of certificates in PEM that the source's requests, redirects included, trust instead
    /// of the system's.
    package var authorities: String?
    package var mapping: JSONMapping?
    /// The condition that items must meet to be taken; `nil`: all are.
    package var condition: ItemCondition?
    package var isSanitizing = true
    /// Whether a hub that the source names may push (WebSub).
    package var isSubscribing = true
    /// The most bytes of a document, decompressed.
    package var byteLimit = 10 << 20

    package init(feed: FeedName, location: Location) {
        self.feed = feed
        self.location = location.normalized
    }

    /// Returns whether the operator lets a request go to any address of its host, private ones
    /// included.
    func allowsPrivate(_ address: String) -> Bool {
        allowsPrivate && isServer(of: address)
    }

    private func isServer(of address: String) -> Bool {
        guard case .web(let url) = location else { return false }
        return URLHost.isSameServer(url, address)
    }

    /// Returns whether a request to a hub may go to a private address.
    func allowsPrivateHub(_ address: String) -> Bool {
        allowsPrivate(address)
            || privateHub.map { URLHost.isSameServer($0, address) } ?? false
    }

    /// Returns the file of certificates for requests to a hub: the source's, if the hub is on its
    /// server; `nil`: the system's certificates.
    func authorities(ofHub address: String) -> String? {
        isServer(of: address) ? authorities : nil
    }
}

extension SourceSettings.Location {
    /// The address without its secrets, for messages, or the file's path.
    package var shown: String {
        switch self {
        case .web(let address): WebAddress.shown(address)
        case .file(let path): path
        }
    }

    /// The location with its address in the form in which it is requested.
    fileprivate var normalized: SourceSettings.Location {
        guard case .web(let address) = self else { return self }
        return .web(WebAddress.normalized(address))
    }
}
