import FeedClient
import FeedModel
import Foundation
import Testing

@testable import freshet

@Suite struct PublishedWording {
    @Test(arguments: [
        ([1, 0, 1, 2, 0, 0, 0, 0], true, "news q7x2m5kd.42: 1 inserted, 1 moved, 2 updated"),
        (
            [0, 3, 0, 0, 1, 2, 0, 1], true,
            "news q7x2m5kd.42: 3 removed, 1 section inserted, 2 sections removed, 1 section updated"
        ),
        ([0, 0, 0, 0, 0, 0, 0, 0], true, "news q7x2m5kd.42: only the feed's own members changed"),
        ([0, 0, 0, 0, 0, 0, 0, 0], false, "news q7x2m5kd.42: nothing changed"),
    ])
    func saysWhatChanged(_ counts: [Int], _ isChanged: Bool, _ words: String) throws {
        let answer = try answer(counts, "\"token\":\"q7x2m5kd.42\",\"changed\":\(isChanged)")
        #expect(PublishFormatter(answer).description == words)
    }

    @Test func saysThatItWasADryRun() throws {
        let answer = try answer([1, 0, 0, 0, 0, 0, 0, 0], "\"dryRun\":true,\"changed\":true")
        #expect(PublishFormatter(answer).description == "news (dry run): 1 inserted")
    }

    private func answer(_ counts: [Int], _ members: String) throws -> PublishResult {
        let tallies = [counts[..<4], counts[4...]].map { tally in
            zip(["inserted", "removed", "moved", "updated"], tally)
                .map { "\"\($0)\":\($1)" }.joined(separator: ",")
        }
        let text = """
            {"kind":"published","feed":"news",\(members),"items":{\(tallies[0])},
             "sections":{\(tallies[1])}}
            """
        return try JSONDecoder().decode(PublishResult.self, from: Data(text.utf8))
    }
}
