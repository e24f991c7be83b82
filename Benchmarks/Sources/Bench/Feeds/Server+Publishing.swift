import Foundation

extension Server {
    /// Returns a request that only a publisher may send.
    static func publish(
        _ method: String,
        _ feed: String,
        _ body: [UInt8],
        type: String = "application/json"
    ) -> Request {
        Request(
            method: method,
            target: "/feeds/\(feed)",
            fields: [("Authorization", "Bearer \(Lab.key)"), ("Content-Type", type)],
            body: body
        )
    }

    /// Replaces a feed.
    ///
    /// - Returns: The token of the new version.
    func put(_ feed: String, _ document: [UInt8]) throws -> String {
        try token(of: exchange(Server.publish("PUT", feed, document)))
    }

    /// Changes items of a feed.
    ///
    /// - Returns: The token of the new version.
    @discardableResult
    func change(_ feed: String, _ items: some Sequence<Int>, likes: Int) throws -> String {
        let request = Server.publish("PATCH", feed, FeedText.edits(items, likes: likes))
        return try token(of: exchange(request))
    }

    private func token(of answer: Answer) throws -> String {
        struct Published: Decodable {
            let token: String
        }
        return try JSONDecoder().decode(Published.self, from: answer.body).token
    }
}
