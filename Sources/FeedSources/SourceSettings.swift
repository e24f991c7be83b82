package import FeedFormats
package import FeedModel
import HTTPClient
package import HTTPTypes

/// What the operator says about the source of a feed.
package struct SourceSettings: Sendable, Equatable {
    /// Where it is.
    package enum Location: Sendable, Equatable {
        /// An address of `http` or `https`.
        case web(String)
        /// A file's path, below ``SourceSettings/folder`` where there is one.
        case file(String)
    }

    package var feed: FeedName
    /// An address is as it is asked for.
    package var location: Location { didSet { location = location.lookedUp } }
    /// The folder that a file must be in, however links lead; `nil`: anywhere, which is for an
    /// operator's own commands alone.
    package var folder: String?
    /// How often it is fetched; `nil`: as its publisher asks and as often as it changes.
    package var every: Duration?
    package var keeping = SourceKeeping.nothing
    /// In place of the source's own title.
    package var title: String?
    /// Whether its host may be inside the machine or a private network, at its port.
    package var allowsPrivate = false
    /// The address of a hub that may be there, too.
    package var privateHub: String?
    /// Whether a redirect may lead from `https` to `http`.
    package var allowsDowngrade = false
    /// What is sent with each request to its origin, such as Authorization.
    package var fields = HTTPFields()
    /// The address of the proxy that requests go through; `nil`: none, whatever the environment
    /// says.
    package var proxy: String?
    /// A file of certificates in PEM that its requests, redirects included, trust instead of the
    /// system's.
    package var authorities: String?
    package var mapping: JSONMapping?
    /// What items must be like to be taken; `nil`: all are.
    package var condition: ItemCondition?
    package var isSanitizing = true
    /// Whether a hub that it names may push (WebSub).
    package var isSubscribing = true
    /// Bytes of a document, decompressed.
    package var byteLimit = 10 << 20

    package init(feed: FeedName, location: Location) {
        self.feed = feed
        self.location = location.lookedUp
    }

    /// Whether the operator lets a request go wherever the name of its host leads.
    func allowsPrivate(_ address: String) -> Bool {
        guard allowsPrivate, case .web(let url) = location else { return false }
        return URLHost.isSameServer(url, address)
    }

    /// The same of a request to a hub.
    func allowsPrivateHub(_ address: String) -> Bool {
        allowsPrivate(address)
            || privateHub.map { URLHost.isSameServer($0, address) } ?? false
    }

    /// The certificates that a request to a hub trusts: its own where the hub is at its host.
    func authorities(ofHub address: String) -> String? {
        guard case .web(let url) = location, URLHost.isSameServer(url, address) else { return nil }
        return authorities
    }
}

extension SourceSettings.Location {
    /// The address as messages have it, or the file's path.
    package var shown: String {
        switch self {
        case .web(let address): WebAddress.shown(address)
        case .file(let path): path
        }
    }

    /// The same with the address as it is asked for.
    fileprivate var lookedUp: SourceSettings.Location {
        guard case .web(let address) = self else { return self }
        return .web(WebAddress.lookedUp(address))
    }
}
