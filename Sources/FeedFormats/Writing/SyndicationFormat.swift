/// The formats that feed readers take.
package enum SyndicationFormat: String, Sendable, CaseIterable {
    case jsonFeed = "json"
    case atom
    case rss

    package var mediaType: String {
        switch self {
        case .jsonFeed: "application/feed+json"
        case .atom: "application/atom+xml; charset=utf-8"
        case .rss: "application/rss+xml; charset=utf-8"
        }
    }
}
