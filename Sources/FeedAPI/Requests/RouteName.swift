/// The kinds of requests that the figures tell apart.
enum RouteName: UInt8, CaseIterable {
    /// Requests that were refused before their route was known.
    case other
    case feeds
    case opml
    case feed
    case format
    case items
    case item
    case outline
    case section
    case refresh
    case versions
    case version
    case restore
    case feedEvents
    case pull
    case events
    case push
    case health
    case readiness
    case metrics
    case admin
    case problem
    case specification
    case server
    /// A path of the API's where there is nothing.
    case nothing
    /// Files, and all that is not the API's.
    case files

    /// A path in which `{…}` stands for what differs.
    var template: String {
        switch self {
        case .other: "other"
        case .feeds: "/feeds"
        case .opml: "/feeds.opml"
        case .feed: "/feeds/{feed}"
        case .format: "/feeds/{feed}.{format}"
        case .items: "/feeds/{feed}/items"
        case .item: "/feeds/{feed}/items/{id}"
        case .outline: "/feeds/{feed}/outline"
        case .section: "/feeds/{feed}/sections/{id}"
        case .refresh: "/feeds/{feed}/refresh"
        case .versions: "/feeds/{feed}/versions"
        case .version: "/feeds/{feed}/versions/{token}"
        case .restore: "/feeds/{feed}/restore"
        case .feedEvents: "/feeds/{feed}/events"
        case .pull: "/pull"
        case .events: "/events"
        case .push: "/websub/{id}"
        case .health: "/healthz"
        case .readiness: "/readyz"
        case .metrics: "/metrics"
        case .admin: "/admin/{page}"
        case .problem: "/problems/{name}"
        case .specification: "/openapi.json"
        case .server: "*"
        case .nothing: "nothing"
        case .files: "files"
        }
    }
}

extension Route {
    /// The kind of request that the figures count it as.
    var name: RouteName {
        switch self {
        case .feeds: .feeds
        case .opml: .opml
        case .feed: .feed
        case .format: .format
        case .items: .items
        case .item: .item
        case .outline: .outline
        case .section: .section
        case .refresh: .refresh
        case .versions: .versions
        case .version: .version
        case .restore: .restore
        case .feedEvents: .feedEvents
        case .pull: .pull
        case .events: .events
        case .push: .push
        case .health: .health
        case .readiness: .readiness
        case .metrics: .metrics
        case .admin: .admin
        case .problem: .problem
        case .specification: .specification
        case .server: .server
        case .nowhere, .nothing: .nothing
        case .outside: .files
        }
    }
}
