import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension FeedResult {
    /// What came over the network.
    init(head: HTTPURLResponse, body: Data = Data()) {
        self.init(
            status: head.statusCode,
            mediaType: head.value(forHTTPHeaderField: "Content-Type"),
            body: body,
            retryAfter: head.seconds("Retry-After"),
            refreshAfter: head.seconds("Refresh-After"),
            tag: head.value(forHTTPHeaderField: "ETag")
        )
    }
}

extension HTTPURLResponse {
    /// The value of a field that is a number of seconds; a day at most.
    fileprivate func seconds(_ field: String) -> Duration? {
        value(forHTTPHeaderField: field).flatMap { Int($0) }
            .map { .seconds(min(max(0, $0), 86_400)) }
    }
}
