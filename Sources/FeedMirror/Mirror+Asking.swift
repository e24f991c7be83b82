import FeedAPI
package import FeedModel
import FeedStore
import HTTPClient
import HTTPTypes

/// Questions about tokens that are newer than what is here.
extension Mirror {
    package func ask(
        _ questions: [(feed: FeedName, token: Token?)],
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        Task {
            do {
                // The tokens are passed on, so that an origin that is a mirror asks its own first;
                // none of the items come.
                let heads = try await pull(questions, "&limit=0")
                var behind: [(feed: FeedName, token: Token?)] = []
                for head in heads {
                    guard let feed = FeedName(head.feed) else { continue }
                    let known = store.current(feed)?.token
                    if known != head.token || head.token == nil { behind.append((feed, known)) }
                }
                if !behind.isEmpty {
                    let documents = try await pull(behind, "")
                    await onQueue { for document in documents { self.take(document) } }
                }
                completion(true)
            } catch {
                completion(false)
            }
        }
    }

    private func pull(
        _ feeds: [(feed: FeedName, token: Token?)],
        _ view: String
    ) async throws -> [ServedDocument] {
        let list = feeds.map { feed, token in
            "feed=\(feed)" + (token.map { "@\($0)" } ?? "")
        }
        let path = "/pull?" + list.joined(separator: "&") + view
        var request = request(.get, path)
        request.limits.whole = .seconds(view.isEmpty ? 30 : 3)
        request.limits.bodyByteCount = 1 << 30
        let response = try await client.response(to: request)
        guard response.status == 200 else { throw HTTPClientError.broken("\(response.status)") }
        return try ServedDocument.pulled(parsing: response.body)
    }
}
