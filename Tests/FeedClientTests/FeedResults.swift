import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// docs/PUBLISHING.md, "The requests", and docs/PROTOCOL.md, "Errors".
@Suite struct FeedResults {
    @Test func feedResultsSayWhatAPublishDid() throws {
        let body = """
            {"kind":"published","feed":"news","since":"q7x2m5kd.41","token":"q7x2m5kd.42",
             "changed":true,"items":{"inserted":1,"removed":2,"moved":3,"updated":4},
             "sections":{"inserted":5,"removed":6,"moved":7,"updated":8}}
            """
        let answer = try answer(200, "application/json; charset=utf-8", body).published()
        #expect(answer.feed == "news")
        #expect(answer.since == Token(epoch: "q7x2m5kd", version: 41))
        #expect(answer.token == Token(epoch: "q7x2m5kd", version: 42))
        #expect(answer.isChanged)
        #expect(!answer.isDryRun)
        #expect(numbers(answer.counts.items) == [1, 2, 3, 4])
        #expect(numbers(answer.counts.sections) == [5, 6, 7, 8])
    }

    @Test func feedAnswersSayWhatADryRunWouldDo() throws {
        let body = """
            {"kind":"published","feed":"news","dryRun":true,"changed":false,"changes":{},
             "items":{"inserted":0,"removed":0,"moved":0,"updated":0},
             "sections":{"inserted":0,"removed":0,"moved":0,"updated":0}}
            """
        let answer = try answer(200, "application/json", body).published()
        #expect(answer.isDryRun)
        #expect(answer.token == nil)
        #expect(!answer.isChanged)
    }

    @Test func feedAnswersCarryTheProblemOfARefusal() {
        let body = """
            {"type":"/problems/precondition","title":"Precondition failed","status":412,
             "detail":"the feed is at q7x2m5kd.43","token":"q7x2m5kd.43"}
            """
        let refused = answer(412, "application/problem+json", body)
        #expect(
            throws: FeedServiceError.problem(
                status: 412,
                type: "/problems/precondition",
                detail: "the feed is at q7x2m5kd.43"
            )
        ) { try refused.published() }
    }

    @Test(arguments: [
        (502, "text/html", "<p>Bad gateway"), (200, "text/html", "<p>Hello"), (304, nil, ""),
        (500, "application/problem+json", "{"),
        (
            200, "application/json",
            """
            {"feed":"news","token":"42","items":{"inserted":0,"removed":0,"moved":0,"updated":0},
             "sections":{"inserted":0,"removed":0,"moved":0,"updated":0}}
            """
        ),
        (200, "application/json", "{\"kind\":\"feeds\"}"),
    ])
    func feedAnswersAreUnexpectedFromAnotherServer(_ status: Int, _ type: String?, _ body: String) {
        let answer = answer(status, type, body)
        #expect {
            try answer.published()
        } throws: { error in
            guard case .unexpected = error as? FeedServiceError else { return false }
            return true
        }
    }

    @Test func feedAnswersAreHandedOverAsTheyCame() throws {
        let patch = answer(200, "Application/JSON-Patch+JSON", "[]")
        #expect(try patch.document("application/json-patch+json") == Array("[]".utf8))
    }

    private func answer(_ status: Int, _ type: String?, _ body: String) -> FeedResult {
        FeedResult(status: status, mediaType: type, body: Array(body.utf8))
    }

    private func numbers(_ tally: ChangeCounts.Tally) -> [Int] {
        [tally.inserted, tally.removed, tally.moved, tally.updated]
    }
}
