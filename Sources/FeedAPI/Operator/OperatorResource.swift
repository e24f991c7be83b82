/// What the operator's page reads of a server.
enum OperatorResource: UInt8, Sendable, CaseIterable {
    /// How it is, and what takes its memory.
    case server
    case feeds
    case sources
    case keys

    /// The last segment of its path.
    var name: StaticString {
        switch self {
        case .server: "server"
        case .feeds: "feeds"
        case .sources: "sources"
        case .keys: "keys"
        }
    }
}
