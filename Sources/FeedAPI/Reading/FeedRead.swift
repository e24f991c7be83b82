import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// What a read of one feed asks for, but for which feed and under which condition.
///
/// It cannot be copied: what is answered at once costs no copies of it.
struct FeedRead: ~Copyable, Sendable {
    let query: FeedQuery
    let coding: CodingChoice
    let requester: Requester
    let wait: WaitPreference?

    init(_ request: borrowing RoutedRequest) throws(Problem) {
        let canWait = request.query.hasAny || request.head.has(.prefer)
        let wait = canWait ? try WaitPreference(request) : nil
        // The last that can throw: what was set before cannot be given up again.
        query = try FeedQuery(request.query)
        self.wait = wait
        coding = request.head.codingChoice
        requester = request.requester
    }
}

/// A read that waits for the next change, with all that it takes to answer it later.
final class WaitingRead: Sendable {
    let read: FeedRead
    let feed: FeedName
    let caller: Access.Caller
    let condition: ReadCondition

    init(_ read: consuming FeedRead, _ feed: FeedName, _ request: borrowing RoutedRequest) {
        self.read = read
        self.feed = feed
        caller = request.caller
        condition = ReadCondition(request.head)
    }
}

/// What an answer depends on that is no one feed's.
struct ReadParts: Sendable {
    let condition: ReadCondition
    let coding: CodingChoice
    let requester: Requester

    init(_ request: borrowing RoutedRequest) {
        condition = ReadCondition(request.head)
        coding = request.head.codingChoice
        requester = request.requester
    }
}
