import FeedModel
import Foundation
import Synchronization

/// A feed for previews: it shows the given content, needs no network, and changes on demand.
///
/// ```swift
/// #Preview {
///     StoryList(stories: FeedPreview([Story(id: "a", title: "One")]).feed)
/// }
/// ```
///
/// The given content is there at the first frame. A view that refreshes or follows the feed gets
/// the content that is shown by then; ``InMemoryServer/fail(_:count:)`` of ``server`` makes its
/// requests fail.
@MainActor
public final class FeedPreview<Item: Codable & Sendable> {
    /// The feed for a view.
    public let feed: LiveFeed<Item>

    /// The server that answers the feed's requests.
    public nonisolated let server: InMemoryServer

    /// Makes a feed of sections.
    ///
    /// Content that cannot be shown, such as two items of one id, is the feed's
    /// ``LiveFeed/problem``.
    ///
    /// - Parameters:
    ///   - sections: The sections to show.
    ///   - title: The feed's title.
    ///   - freshness: The age that the content is shown with; `nil`: it is current.
    public init(
        sections: [PreviewSection<Item>],
        title: String? = nil,
        freshness: FeedFreshness? = nil
    ) {
        server = InMemoryServer()
        self.title = title
        var copy = FeedCopy(Self.name)
        var problem: FeedServiceError?
        do {
            try server.replace(Self.name, with: Document(title: title, sections: sections))
            copy = try server.copy(of: Self.name)
        } catch {
            let error = error as? DocumentError
            let reason = error.map { "\($0.path) \($0.reason)" } ?? "the items are no JSON objects"
            problem = .unexpected(reason)
        }
        let start = FeedUpdate(
            copy: copy,
            state: .idle,
            freshness: freshness ?? (problem == nil ? .current(asOf: Date()) : .neverLoaded),
            problem: problem
        )
        feed = LiveFeed(Feed(start, of: server.service()), as: Item.self)
    }

    /// Makes a feed of items in one section.
    public convenience init(
        _ items: [Item],
        title: String? = nil,
        freshness: FeedFreshness? = nil
    ) {
        let section = PreviewSection(id: "main", items: items)
        self.init(sections: [section], title: title, freshness: freshness)
    }

    private let title: String?

    private struct Document: Encodable {
        let title: String?
        let sections: [PreviewSection<Item>]
    }

    private static var name: FeedName {
        guard let name = FeedName("preview") else { preconditionFailure("it is a feed's name") }
        return name
    }

    /// Shows other sections; a view shows the changes as it does those of a server.
    ///
    /// - Throws: An error for content that cannot be shown, with the position of the fault.
    public func show(sections: [PreviewSection<Item>]) throws {
        try server.replace(Self.name, with: Document(title: title, sections: sections))
        Task { [feed] in await feed.refresh() }
    }

    /// Shows other items, in one section.
    ///
    /// - Throws: An error for content that cannot be shown, with the position of the fault.
    public func show(_ items: [Item]) throws {
        try show(sections: [PreviewSection(id: "main", items: items)])
    }
}

/// A section of a feed for previews.
public struct PreviewSection<Item: Encodable & Sendable>: Encodable, Sendable {
    /// The section's id, unique among the sections.
    public var id: String
    /// The title of the section's header.
    public var title: String?
    /// The section's entry in an index bar.
    public var index: String?
    /// The section's items, which become objects with an `id`.
    public var items: [Item]

    /// Makes a section.
    public init(id: String, title: String? = nil, index: String? = nil, items: [Item]) {
        self.id = id
        self.title = title
        self.index = index
        self.items = items
    }
}

extension InMemoryServer {
    /// Returns the copy that a reader of a feed holds.
    fileprivate func copy(of feed: FeedName) throws -> FeedCopy {
        let document = state.withLock(\.feeds)
            .document(of: feed.rawValue, since: nil, through: FeedView())
        var copy = FeedCopy(feed)
        _ = try copy.take(try ServedDocument(parsing: document.json))
        return copy
    }
}
