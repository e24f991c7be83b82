import HTTPServer
import HTTPWire
import Synchronization

/// The answers about one version of a feed as they are sent at the moment, with the hint of the
/// moment in them (docs/PROTOCOL.md, "When to ask again").
final class AnswersAtHand: Sendable {
    let answers: BakedAnswers
    /// The value of Refresh-After.
    let hint: Int
    /// The tags of the codings.
    let plain: Validator
    let gzip: Validator
    let deflate: Validator
    /// From when on another hint may be due, in seconds of the store's clock.
    private let renewal: Atomic<Int>

    /// A tag, and the answers to those who have what it names, for requests from no listed origin.
    struct Validator: Sendable {
        /// As it stands in a field.
        let tag: [UInt8]
        /// `304`.
        let notModified: BakedResponse
        /// The same in the place of `unchanged`.
        let stillUnchanged: BakedResponse
    }

    /// Makes them at the time `now`.
    init(
        _ answers: BakedAnswers,
        hint: Int,
        now: Int,
        notModified: (_ coding: ContentCoding, _ isUnchanged: Bool) -> BakedResponse
    ) {
        self.answers = answers
        self.hint = hint
        renewal = Atomic(now + Pacing.lifetime(of: hint))
        let tag = Tag(answers.token)
        func validator(_ coding: ContentCoding) -> Validator {
            Validator(
                tag: Array(tag.text(coding).utf8),
                notModified: notModified(coding, false),
                stillUnchanged: notModified(coding, true)
            )
        }
        plain = validator(.identity)
        gzip = validator(.gzip)
        deflate = validator(.deflate)
    }

    /// The answer of `key`, when it is made already.
    func made(_ key: AnswerKey) -> Made? {
        answers.made(key, hint: hint)
    }

    /// Whether the hint is to be looked at again; says so to one caller.
    func isDue(_ now: Int) -> Bool {
        let due = renewal.load(ordering: .relaxed)
        guard now >= due else { return false }
        let next = now + Pacing.lifetime(of: hint)
        return renewal.compareExchange(expected: due, desired: next, ordering: .relaxed).exchanged
    }
}
