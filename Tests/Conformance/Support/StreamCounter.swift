import Dispatch
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport

/// Answers like ``PlainHandler``, and at some paths in ways that take long: `/stream` never ends,
/// `/never` is never answered, `/large` has a megabyte, and so has `/gate`, which holds up its loop
/// until the gate is opened.
final class StreamCounter: RequestHandler {
    private final class Stream: ResponseStream {
        let counter: StreamCounter

        init(_ counter: StreamCounter) {
            self.counter = counter
        }

        func next(_ waker: StreamWaker) -> StreamPart { .pending }

        func closed() {
            counter.endedStreams.add(1, ordering: .relaxed)
        }
    }

    private let begunStreams = Atomic(0)
    private let endedStreams = Atomic(0)
    private let largeAnswers = Atomic(0)
    let isAtGate = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    private let waiting = Mutex<[Responder]>([])
    private let large = [UInt8](repeating: 0, count: 1 << 20)

    /// Streams that were answered with, and those that were closed.
    var begun: Int { begunStreams.load(ordering: .relaxed) }
    var ended: Int { endedStreams.load(ordering: .relaxed) }
    /// Answers at `/large`.
    var larges: Int { largeAnswers.load(ordering: .relaxed) }

    func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        switch request.head.string(request.head.target) {
        case "/stream":
            begunStreams.add(1, ordering: .relaxed)
            return .response(Response(status: .ok, body: .stream(Stream(self))))
        case "/gate":
            isAtGate.signal()
            gate.wait()
            return .response(Response(status: .ok, body: .bytes(large)))
        case "/large":
            largeAnswers.add(1, ordering: .relaxed)
            return .response(Response(status: .ok, body: .bytes(large)))
        case "/never":
            return .later { responder in self.waiting.withLock { $0.append(responder) } }
        default: return PlainHandler().receive(request)
        }
    }

    func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        PlainHandler().response(to: refusal, origin: origin)
    }
}
