import Synchronization

/// Whether the peer of a connection waits for the answer to a request.
final class PeerInterest: Sendable {
    private enum Interest: UInt8, AtomicRepresentable {
        case waits
        /// It has closed its side of the connection, and may have left.
        case mayHaveLeft
        case left
    }

    private let interest = Atomic(Interest.waits)

    func waits(presumesLeft: Bool) -> Bool {
        switch interest.load(ordering: .relaxed) {
        case .waits: true
        case .mayHaveLeft: !presumesLeft
        case .left: false
        }
    }

    func peerEndedInput() {
        interest.store(.mayHaveLeft, ordering: .relaxed)
    }

    func peerLeft() {
        interest.store(.left, ordering: .relaxed)
    }
}
