/// The body of a response, in parts as they arrive; read by one task, once.
///
/// The sender of a streamed response is paused while 256 KiB or more have not been taken; the
/// sender of a whole response is never paused. Dropping the body ends the request.
package final class ArrivingBody: AsyncSequence, Sendable {
    private let response: StreamedResponse
    /// The number of the request on the client's thread.
    private let id: UInt64
    private let loop: TransferLoop

    init(_ response: StreamedResponse, _ id: UInt64, _ loop: TransferLoop) {
        (self.response, self.id, self.loop) = (response, id, loop)
    }

    deinit { if !response.isOver { loop.post(.cancel(id)) } }

    package func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ArrivingBody

        /// Waits for the next part; `nil` at the end of the body.
        ///
        /// - Throws: ``HTTPClientError``; ``HTTPClientError/cancelled`` with the calling task.
        package mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(HTTPClientError) -> [UInt8]? {
            let body = body
            let part = await withTaskCancellationHandler {
                await body.response.part { body.loop.post(.resume(body.id)) }
            } onCancel: {
                body.loop.post(.cancel(body.id))
            }
            return try part.get()
        }
    }
}
