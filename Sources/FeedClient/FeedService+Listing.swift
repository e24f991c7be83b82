public import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A feed as a list of feeds names it (docs/PROTOCOL.md, "Which feeds there are").
public struct FeedSummary: Codable, Sendable, Equatable {
    /// The feed's id.
    public let id: String
    /// The member `title`.
    public let title: String?
    /// The current version.
    public let token: String
    /// The number of items.
    public let count: Int
    /// When it changed last (RFC 3339).
    public let changed: String
}

extension FeedService {
    /// The feeds that may be read, by their ids: as many requests as there are thousands of them.
    ///
    /// - Parameter prefix: Only feeds whose ids begin so.
    /// - Returns: The feeds.
    /// - Throws: ``FeedServiceError``.
    public func feeds(prefix: String? = nil) async throws -> [FeedSummary] {
        struct Page: Decodable {
            let feeds: [FeedSummary]
            let next: String?
        }
        var feeds: [FeedSummary] = []
        var request = requests.list(prefix: prefix)
        var asked: Set<URL> = []
        while true {
            let document = try await send(request).document("application/json")
            guard let page = try? JSONDecoder().decode(Page.self, from: Data(document)) else {
                throw FeedServiceError.unexpected("the server sent no list of feeds")
            }
            feeds += page.feeds
            guard let next = page.next else { return feeds }
            request.url = try FeedService.page(next, after: request.url, &asked)
        }
    }

    /// The address of the next page: of the same server, whose the key is, and not asked before.
    private static func page(
        _ next: String,
        after last: URL?,
        _ asked: inout Set<URL>
    ) throws(FeedServiceError) -> URL {
        guard let last, let page = URL(string: next, relativeTo: last)?.absoluteURL,
            page.origin == last.origin
        else { throw .unexpected("the list of feeds goes on at another server") }
        asked.insert(last)
        guard asked.insert(page).inserted else {
            throw .unexpected("the list of feeds has no end")
        }
        return page
    }

    /// The items of some ids, such as rows that a table names ahead; those that are not there are
    /// left out.
    ///
    /// - Parameters:
    ///   - ids: At most some hundred, as long as their address is taken.
    ///   - feed: The feed.
    /// - Returns: The items' JSON by id.
    /// - Throws: ``FeedServiceError``.
    public func items(_ ids: [String], of feed: FeedName) async throws -> [String: FeedItem] {
        let document = try await send(requests.items(ids, of: feed)).document("application/json")
        do {
            return try ServedItems(parsing: document).items
        } catch {
            throw FeedServiceError.unexpected("the server sent no items")
        }
    }
}
