import Foundation
import Testing

@testable import TerminalReader

/// How long ago something was.
@Suite struct Ages {
    @Test(arguments: [
        (0.0, "now", 60.0), (59, "now", 1), (-30, "now", 60), (60, "1 min. ago", 60),
        (200, "3 min. ago", 40), (3_599, "59 min. ago", 1), (3_600, "1 hr. ago", 3_600),
        (86_399, "23 hr. ago", 1), (86_400, "yesterday", 86_400), (259_200, "3 days ago", 86_400),
    ])
    func areToldUntilTheyAreOthers(_ seconds: Double, _ words: String, _ left: Double) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let age = Age(of: now - seconds, at: now)
        #expect(age.words == words)
        #expect(age.secondsLeft == left)
    }

    @Test(arguments: [604_800.0, 1e9, -120])
    func areDaysWhenTheyAreLongOrStillToCome(_ seconds: Double) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let age = Age(of: now - seconds, at: now)
        #expect(age.words.count == 10 && age.words.contains("-"))
        #expect(age.secondsLeft == nil)
    }
}
