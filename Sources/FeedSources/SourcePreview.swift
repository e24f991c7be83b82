package import FeedFormats
package import FeedModel
package import HTTPClient

/// A source that is looked at once, for an operator.
package struct SourcePreview: Sendable {
    package let feed: SourceFeed
    /// Where it was in the end.
    package let address: String
    /// The feed that would be made of it; `nil` for a document of the protocol's own form.
    package let snapshot: Snapshot?

    /// Fetches and reads a source.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Throws: ``SourceFailure``.
    package static func fetch(
        _ settings: SourceSettings,
        _ client: HTTPClient,
        now: Int
    ) async throws(SourceFailure) -> SourcePreview {
        let (bytes, address, charset) = try await document(settings, client, now: now)
        return try read(bytes, settings, address: address, charset: charset, now: now)
    }

    /// Fetches a document, following redirects as the server does.
    package static func document(
        _ settings: SourceSettings,
        _ client: HTTPClient,
        now: Int
    ) async throws(SourceFailure) -> (bytes: [UInt8], address: String, charset: String?) {
        if case .file(let path) = settings.location {
            return (try SourceFile.read(path, settings), "", nil)
        }
        let state = SourceState(address: settings.location.text)
        var fetch = SourceFetch(settings, state, now: now)
        var request = fetch.begin()
        while true {
            let result: Result<HTTPClient.Response, HTTPClientError>
            do throws(HTTPClientError) {
                result = .success(try await client.response(to: request))
            } catch {
                result = .failure(error)
            }
            switch fetch.take(result) {
            case .follow(let next): request = next
            case .unchanged: throw .status(304, "it says “not modified” though nothing was known")
            case .failed(let failure): throw failure
            case .document(let document):
                return (document.bytes, document.address, document.charset)
            }
        }
    }

    /// Reads a document.
    package static func read(
        _ bytes: [UInt8],
        _ settings: SourceSettings,
        address: String,
        charset: String?,
        now: Int
    ) throws(SourceFailure) -> SourcePreview {
        let reader = FeedReader(settings, address: address, charset: charset)
        let feed: SourceFeed
        do throws(FeedFormatError) {
            feed = try reader.read(bytes)
        } catch {
            throw .format(error)
        }
        var snapshot: Snapshot?
        if case .made(let make) = SourceContent(feed, settings, now: now) { snapshot = make(nil) }
        return SourcePreview(feed: feed, address: address, snapshot: snapshot)
    }
}
