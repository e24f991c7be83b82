import HTTPTypes
import Synchronization

/// Answers one request, once, from any thread.
///
/// Only the first answer counts. A responder that is dropped without an answer sends 500, so that
/// no client waits in vain.
package struct Responder: Sendable {
    private final class Promise: Sendable {
        let isKept = Atomic(false)
        let send: @Sendable (Response) -> Void

        init(_ send: @escaping @Sendable (Response) -> Void) {
            self.send = send
        }

        func keep(_ response: Response) {
            if !isKept.exchange(true, ordering: .relaxed) { send(response) }
        }

        deinit { keep(Response(status: .internalServerError)) }
    }

    private let promise: Promise
    private let interest: PeerInterest?

    /// Makes a responder for a connection's request.
    ///
    /// - Parameter interest: Says whether the peer still waits for the answer; `nil`: it always
    ///   does.
    init(interest: PeerInterest? = nil, sending send: @escaping @Sendable (Response) -> Void) {
        promise = Promise(send)
        self.interest = interest
    }

    /// Makes a responder without a connection, for callers in the same program: they get responses
    /// with fields and bodies that they can read.
    package init(_ send: @escaping @Sendable (Response) -> Void) {
        self.init(interest: nil, sending: { send($0.decoded) })
    }

    /// Returns whether the peer still waits for the answer.
    ///
    /// - Parameter presumesLeft: Whether a peer that has closed its side of the connection counts
    ///   as gone, though it could still read.
    package func isWanted(presumesLeft: Bool) -> Bool {
        interest?.waits(presumesLeft: presumesLeft) ?? true
    }

    /// Returns a responder that transforms each answer and hands it to this one.
    package func mapping(
        _ transform: @escaping @Sendable (Response) -> Response
    ) -> Responder {
        Responder(interest: interest) { self(transform($0)) }
    }

    package func callAsFunction(_ response: Response) {
        promise.keep(response)
    }
}

/// Records whether the peer of a connection waits for the answer to a request.
final class PeerInterest: Sendable {
    private enum Interest: UInt8, AtomicRepresentable {
        case waits
        /// The peer has closed its side of the connection, and may have left.
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
