import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Answers to `GET /pull` as they were sent, for whoever asks the same again before any of the
/// feeds has changed: apps of one kind ask for the same screen.
///
/// What is remembered is bounded by count and bytes; past the bound all of it goes.
final class PullsAtHand: Sendable {
    /// What an answer depends on, as it stands in the request.
    struct Key: Hashable, Sendable {
        private let bytes: [UInt8]

        /// - Returns: `nil` for a request whose answer depends on more: on a key, a preference.
        init?(_ head: RequestHead) {
            guard head.method == .get, let fields = HotFields.of(head),
                let coding = fields.coding(head)
            else { return nil }
            let condition = fields.ifNoneMatch ?? 0..<0
            var bytes: [UInt8] = []
            bytes.reserveCapacity(head.target.count + condition.count + 2)
            bytes += head.bytes[head.target]
            // Neither of both has such a byte.
            bytes.append(0)
            bytes += head.bytes[condition]
            bytes.append(coding == .identity ? 0 : coding == .gzip ? 1 : 2)
            self.bytes = bytes
        }

        var byteCount: Int { bytes.count }
    }

    private struct State {
        var answers: [Key: ReadyAnswer] = [:]
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// Answers at a time.
    private static let limit = 1024
    /// Bytes of all answers.
    private static let byteLimit = 4 << 20
    /// Bytes of an answer that is worth remembering.
    fileprivate static let answerByteLimit = 64 << 10

    subscript(key: Key) -> ReadyAnswer? {
        state.withLock { $0.answers[key] }
    }

    func remember(_ answer: ReadyAnswer, for key: Key) {
        let byteCount = PullsAtHand.byteCount(answer, key)
        // What goes is freed when the lock is given back.
        let forgotten = state.withLock { state in
            var forgotten = State()
            if state.answers.count >= PullsAtHand.limit
                || state.byteCount + byteCount > PullsAtHand.byteLimit
            {
                swap(&forgotten, &state)
            }
            let replaced = state.answers.updateValue(answer, forKey: key)
            state.byteCount += byteCount - (replaced.map { PullsAtHand.byteCount($0, key) } ?? 0)
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }

    /// About the bytes of memory that an answer takes with its place among others.
    private static func byteCount(_ answer: ReadyAnswer, _ key: Key) -> Int {
        answer.response.body.count + key.byteCount + 1024
    }
}

extension FeedAPI {
    /// The remembered answer to a pull, as long as it is right.
    func hotPull(_ head: RequestHead) -> ReadyAnswer? {
        guard isHot, FeedAPI.isPull(head), let key = PullsAtHand.Key(head),
            let answer = pullsAtHand[key], answer.standing?.stands == true
        else { return nil }
        return answer
    }

    /// Remembers an answer without a wait that was made at once, unless it is a refusal.
    func remember(_ reception: Reception, to head: RequestHead, _ standing: PullStanding) {
        guard isHot, case .answer(let response) = reception, response.isWorthRemembering,
            let key = PullsAtHand.Key(head)
        else { return }
        pullsAtHand.remember(ReadyAnswer(BakedResponse(response), standing: standing), for: key)
    }

    /// Whether the target begins with `/pull?`.
    private static func isPull(_ head: RequestHead) -> Bool {
        let start = head.target.lowerBound
        guard head.target.count > 6 else { return false }
        // "/pull?" as the word that its six bytes make.
        return head.bytes.span.word(at: start) << 16 == 0x3f6c_6c75_702f << 16
    }
}

extension Response {
    /// Whether it says what the feeds are like, shortly enough to be remembered.
    fileprivate var isWorthRemembering: Bool {
        guard status == .ok || status == .notModified else { return false }
        return switch body {
        case .none: true
        case .bytes(let bytes): bytes.count <= PullsAtHand.answerByteLimit
        default: false
        }
    }
}
