import Glibc
import HTTPWire

/// Requests that came again byte by byte, with their answers: a poller sends the same bytes each
/// time, and apps of one kind send the same as each other.
///
/// What is found here needs no parsing and no handler. A request is remembered when it comes for
/// the second time in a while, so that those that never come again cost no more than their hash;
/// each takes the place of an older one, so that there are never more than ``slotCount``. Their
/// memory, 2.5 MiB for each loop at the most, is in no account.
struct RepeatedRequests {
    /// A request's place and hash.
    struct Mark {
        fileprivate let hash: UInt64
        fileprivate var slot: Int { Int(truncatingIfNeeded: hash >> 32) & (slotCount - 1) }
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

    private var hashes = [UInt64](repeating: 0, count: slotCount)
    private var entries = [Repeated?](repeating: nil, count: slotCount)

    /// How many are remembered at most; a power of two.
    static let slotCount = 256
    /// Bytes of a request that is worth remembering.
    static let requestByteLimit = 2 << 10
    /// Bytes of an answer that is worth remembering.
    static let answerByteLimit = 8 << 10

    /// Where a request has its place, if it is not too long.
    func mark(_ request: Span<UInt8>) -> Mark? {
        guard 16...RepeatedRequests.requestByteLimit ~= request.count else { return nil }
        return Mark(hash: request.quickHash)
    }

    /// The same request, if it is remembered and its answer is still right.
    func find(_ request: Span<UInt8>, _ mark: Mark) -> Repeated? {
        guard let entry = entries[mark.slot],
            entry.isSame(request), entry.standing.stands
        else { return nil }
        return entry
    }

    /// Takes note of a request that was answered; remembers it, if it was the last one to come of
    /// those that have this place.
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
        guard hashes[mark.slot] == mark.hash else {
            hashes[mark.slot] = mark.hash
            return
        }
        entries[mark.slot] = Repeated(head, answer.response, standing)
    }
}
