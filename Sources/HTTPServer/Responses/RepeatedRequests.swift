import Glibc
import HTTPWire

/// Requests that came again byte by byte, with their answers: a poller sends the same bytes each
/// time, and apps of one kind send the same as each other.
///
/// What is found here needs no parsing and no handler. A request is remembered when it comes for
/// the second time in a while, so that those that never come again cost no more than their hash.
/// Each may have one of four places, and takes that of an older one; when all take more than
/// ``byteLimit``, all are forgotten.
struct RepeatedRequests {
    /// A request's places and hash.
    struct Mark {
        fileprivate let hash: UInt64
        fileprivate var slots: Range<Int> {
            let first = Int(truncatingIfNeeded: hash >> 32) & (slotCount - wayCount)
            return first..<first + wayCount
        }
    }

    /// A request and what is answered to it.
    final class Repeated {
        /// As the parser has read it, with its bytes.
        let head: RequestHead
        let response: BakedResponse
        fileprivate let standing: any Standing

        fileprivate init(
            _ head: RequestHead,
            _ response: BakedResponse,
            _ standing: any Standing
        ) {
            self.head = head
            self.response = response
            self.standing = standing
        }

        /// About the bytes of memory that it takes alone.
        fileprivate var byteCount: Int {
            Repeated.ownByteCount + head.bytes.count + response.head.count + response.body.count
        }

        private static let ownByteCount = 400

        fileprivate func isSame(_ request: Span<UInt8>) -> Bool {
            guard request.count == head.bytes.count else { return false }
            return request.withUnsafeBytes { request in
                head.bytes.withUnsafeBytes { bytes in
                    guard let one = request.baseAddress, let other = bytes.baseAddress else {
                        return false
                    }
                    return memcmp(one, other, bytes.count) == 0
                }
            }
        }
    }

    /// Those that were seen, in each four places the newest first.
    private var seen = [UInt64](repeating: 0, count: slotCount)
    private var hashes = [UInt64](repeating: 0, count: slotCount)
    private var entries = [Repeated?](repeating: nil, count: slotCount)
    /// Which of four places is taken next.
    private var turn = 0

    /// About the bytes of memory of what is remembered.
    private(set) var byteCount = 0

    /// How many are remembered at most; a power of two.
    static let slotCount = 2048
    /// In how many places a request can be; a power of two.
    private static let wayCount = 4
    /// Bytes of a request that is worth remembering.
    static let requestByteLimit = 2 << 10
    /// Bytes of an answer that is worth remembering.
    static let answerByteLimit = 8 << 10
    /// Bytes of all that is remembered.
    static let byteLimit = 2 << 20

    /// Where a request has its places, if it is not too long.
    func mark(_ request: Span<UInt8>) -> Mark? {
        guard 16...RepeatedRequests.requestByteLimit ~= request.count else { return nil }
        return Mark(hash: request.quickHash)
    }

    /// The same request, if it is remembered and its answer is still right.
    func find(_ request: Span<UInt8>, _ mark: Mark) -> Repeated? {
        for slot in mark.slots where hashes[slot] == mark.hash {
            guard let entry = entries[slot], entry.isSame(request), entry.standing.stands
            else { return nil }
            return entry
        }
        return nil
    }

    /// Takes note of a request that was answered; remembers it, if few came since it was seen that
    /// have the same places.
    mutating func note(
        _ request: Span<UInt8>,
        _ mark: Mark,
        _ answer: ReadyAnswer,
        _ head: RequestHead
    ) {
        guard let standing = answer.standing,
            answer.response.body.count <= RepeatedRequests.answerByteLimit,
            // Not after an empty line.
            head.bytes.count == request.count
        else { return }
        if mark.slots.contains(where: { seen[$0] == mark.hash }) {
            remember(Repeated(head, answer.response, standing), mark)
        } else {
            // The oldest goes.
            for slot in mark.slots.dropFirst().reversed() { seen[slot] = seen[slot - 1] }
            seen[mark.slots.lowerBound] = mark.hash
        }
    }

    private mutating func remember(_ entry: Repeated, _ mark: Mark) {
        if byteCount + entry.byteCount > RepeatedRequests.byteLimit { self = RepeatedRequests() }
        let known = mark.slots.first { hashes[$0] == mark.hash }
        let free = known ?? mark.slots.first { entries[$0]?.standing.stands != true }
        turn = (turn + 1) & (RepeatedRequests.wayCount - 1)
        let slot = free ?? mark.slots.lowerBound + turn
        byteCount += entry.byteCount - (entries[slot]?.byteCount ?? 0)
        hashes[slot] = mark.hash
        entries[slot] = entry
    }
}
