public import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An entry in the list of feeds (docs/PROTOCOL.md, "Which feeds there are").
public struct FeedSummary: Codable, Sendable, Equatable {
    /// The feed's id.
    public let id: String
    /// The feed's title; `nil`: it has none.
    public let title: String?
    /// The current version.
    public let token: String
    /// The number of items.
    public let count: Int
    /// The time of the last change (RFC 3339).
    public let changed: String
}

extension FeedService {
    /// Returns the feeds that may be read, in the order of their ids.
    ///
    /// Each thousand takes a request.
    ///
    /// - Parameter prefix: Only feeds whose ids begin with this text.
    /// - Returns: The feeds.
    /// - Throws: ``FeedServiceError``.
    public func feeds(prefix: String? = nil) async throws -> [FeedSummary] {
        struct Page: Decodable {
            let feeds: [FeedSummary]
            let next: String?
        }
        var feeds: [FeedSummary] = []
        let query = prefix.map { [("prefix", $0)] } ?? []
        var request = requests.make("GET", ["feeds"], query: query + [("limit", "1000")])
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

    /// Returns the address of the next page.
    ///
    /// The page must be on the same server, so that no other one gets the key, and must not have
    /// been requested before.
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

    /// Returns items by their ids, such as rows that a table prefetches.
    ///
    /// Missing items are left out.
    ///
    /// - Parameters:
    ///   - ids: The ids: at most some hundred, since they are part of the request's address.
    ///   - feed: The feed.
    /// - Returns: The items by id.
    /// - Throws: ``FeedServiceError``.
    public func items(_ ids: [String], of feed: FeedName) async throws -> [String: FeedItem] {
        let query = ids.map { ("id", $0) }
        let request = requests.make("GET", ["feeds", feed.rawValue, "items"], query: query)
        let document = try await send(request).document("application/json")
        do {
            // Items are returned whether or not the server states their positions.
            let items = try FeedPage.rows(of: try JSONValue(parsing: document))
                .compactMap { row in try row["item"].map { try FeedItem(parsing: $0.bytes) } }
            return Dictionary(items.map { ($0.id.string, $0) }) { $1 }
        } catch {
            throw FeedServiceError.unexpected("the server sent no items")
        }
    }
}
