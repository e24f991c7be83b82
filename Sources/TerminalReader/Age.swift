import Foundation

/// The age of a time in words, such as "5 min. ago"; an ISO 8601 date after a week.
struct Age: Equatable {
    let words: String
    /// The number of seconds until the words change; `nil`: they do not change.
    let secondsLeft: Double?

    /// Describes the age of a time.
    init(of then: Date, at now: Date) {
        let seconds = now.timeIntervalSince(then)
        let units: [(limit: Double, length: Double, words: @Sendable (Int) -> String)] = [
            (60, 60, { _ in "now" }),
            (3_600, 60, { "\($0) min. ago" }),
            (86_400, 3_600, { "\($0) hr. ago" }),
            (604_800, 86_400, { $0 == 1 ? "yesterday" : "\($0) days ago" }),
        ]
        guard seconds >= -60, let unit = units.first(where: { seconds < $0.limit }) else {
            words = then.formatted(.iso8601.year().month().day())
            secondsLeft = nil
            return
        }
        let past = max(0, seconds)
        let count = (past / unit.length).rounded(.down)
        words = unit.words(Int(count))
        secondsLeft = (count + 1) * unit.length - past
    }
}
