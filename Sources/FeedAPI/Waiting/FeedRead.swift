import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// What a read of one feed asks for, but for which feed and under which condition.
struct FeedRead: Sendable {
    let query: FeedQuery
    let coding: CodingChoice
    let origin: RequestOrigin
    let poll: WaitPreference?

    init(_ request: borrowing RoutedRequest) throws(Problem) {
        query = try FeedQuery(request.query)
        poll = try WaitPreference(request)
        coding = request.head.codingChoice
        origin = request.origin
    }
}

/// A read that waits for the next change, with all that it takes to answer it later.
struct WaitingRead: Sendable {
    let read: FeedRead
    let feed: FeedName
    let caller: Access.Caller
    let condition: ReadCondition
}
