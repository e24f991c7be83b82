import FeedStore
import HTTPServer
import HTTPWire
import Synchronization

/// The answers about one version of a feed as they are sent at the moment, with the hint of the
/// moment in them (docs/PROTOCOL.md, "When to ask again").
final class AnswersAtHand: VersionAttachment {
    let answers: BakedAnswers
    /// The value of Refresh-After.
    let hint: Int
    /// The tag of the version, as it stands in a field.
    let tag: [UInt8]
    /// Tells for how long they are right.
    let standing: AnswerStanding

    /// What those get who have waited.
    private let held = Mutex<[HeldKey: Held]>([:])
    private static let heldLimit = 64

    private struct HeldKey: Hashable {
        let baked: ObjectIdentifier
        let hold: Hold.Kind
    }

    private struct Held {
        /// Kept, so that no other can have its address.
        let baked: BakedResponse
        let marked: BakedResponse
    }

    /// The answers to those who have what a tag names, of each coding, for requests from no listed
    /// origin.
    private let notModified = NotModified()
    /// The same in the place of `unchanged`.
    private let stillUnchanged = NotModified()

    /// Answers without a body, each made when it is first asked for.
    private struct NotModified: ~Copyable, Sendable {
        let identity = LazyReference<BakedResponse>()
        let gzip = LazyReference<BakedResponse>()
        let deflate = LazyReference<BakedResponse>()

        func response(_ coding: ContentCoding, make: () -> BakedResponse) -> BakedResponse {
            switch coding {
            case .identity: identity.load(make: make)
            case .gzip: gzip.load(make: make)
            case .deflate: deflate.load(make: make)
            }
        }
    }

    /// Makes them at the moment.
    init(_ answers: BakedAnswers, _ status: VersionStatus, hint: Int, _ clock: FeedStore.Clock) {
        self.answers = answers
        self.hint = hint
        standing = AnswerStanding(status, hint: hint, clock)
        tag = Array(Tag(answers.token).text(.identity).utf8)
    }

    /// `304`, or the same in the place of `unchanged`, which `make` makes if nobody has yet.
    func notModified(
        _ coding: ContentCoding,
        isUnchanged: Bool,
        make: () -> BakedResponse
    ) -> BakedResponse {
        isUnchanged
            ? stillUnchanged.response(coding, make: make) : notModified.response(coding, make: make)
    }

    /// The answer of `key`, when it is made already.
    func made(_ key: AnswerKey) -> Made? {
        answers.made(key, hint: hint)
    }

    /// An answer as it is said to those who have waited for it, made once for each kind of wait.
    func held(_ baked: BakedResponse, _ hold: Hold) -> BakedResponse {
        let key = HeldKey(baked: ObjectIdentifier(baked), hold: hold.kind)
        if let held = held.withLock({ $0[key] }) { return held.marked }
        let marked = baked.marked(hold)
        held.withLock { held in
            guard held.count < AnswersAtHand.heldLimit else { return }
            held[key] = Held(baked: baked, marked: marked)
        }
        return marked
    }

    var byteCount: Int { answers.byteCount }

    func clear() {
        answers.clear()
        held.withLock { $0 = [:] }
    }

    func retire() {
        answers.retire()
        held.withLock { $0 = [:] }
    }
}
