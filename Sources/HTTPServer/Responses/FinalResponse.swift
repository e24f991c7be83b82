/// A response on its way to a connection.
package enum FinalResponse: Sendable {
    case response(Response)
    case cached(CachedResponse, CachedResponse.Completion)
}
