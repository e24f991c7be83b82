/// The body of a response, in parts as they arrive; read by one task, once.
///
/// The sender of a streamed response is paused while 256 KiB or more have not been taken; the
/// sender of a whole response is never paused. Dropping the body ends the request.
package final class ArrivingBody: AsyncSequence, Sendable {
    private let response: StreamedResponse
    private let transfer: HTTPClient.Transfer

    init(_ response: StreamedResponse, _ transfer: HTTPClient.Transfer) {
        self.response = response
        self.transfer = transfer
    }

    deinit { if !response.isOver { transfer.cancel() } }

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
                await body.response.part { body.transfer.resume() }
            } onCancel: {
                body.transfer.cancel()
            }
            return try part.get()
        }
    }
}
