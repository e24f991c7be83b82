import FeedAPI
import FeedDiff
package import FeedFormats
package import FeedModel
package import HTTPClient

/// The result of a single fetch of a source, for an operator to look at.
package struct SourcePreview: Sendable {
    package let feed: SourceFeed
    /// The address of the document after all redirects.
    package let address: String
    /// The feed that would be made of the source.
    package let snapshot: Snapshot

    /// Fetches and reads a source.
    ///
    /// - Parameter now: The present time, in seconds since 1970.
    package static func fetch(
        _ settings: SourceSettings,
        _ client: HTTPClient,
        now: Int
    ) async throws(SourceFailure) -> SourcePreview {
        let document = try await document(settings, client, now: now)
        return try read(document, settings, now: now)
    }

    /// Fetches a document, following redirects as the server does.
    static func document(
        _ settings: SourceSettings,
        _ client: HTTPClient,
        now: Int
    ) async throws(SourceFailure) -> SourceFetch.Document {
        if case .file(let path) = settings.location {
            return SourceFetch.Document(file: try SourceFile.read(path, settings))
        }
        let state = SourceState(address: settings.location.text)
        var fetch = SourceFetch(settings, state, now: now)
        var request = fetch.begin()
        while true {
            switch fetch.take(await client.result(of: request)) {
            case .follow(let next): request = next
            case .unchanged: throw .status(304, "it says “not modified” though nothing was known")
            case .failed(let failure): throw failure
            case .received(let response):
                let limit = settings.byteLimit
                return fetch.document(response, try .init(decoding: response, limit: limit))
            }
        }
    }

    /// Reads a document.
    static func read(
        _ document: SourceFetch.Document,
        _ settings: SourceSettings,
        now: Int
    ) throws(SourceFailure) -> SourcePreview {
        let feed = try document.read(by: settings)
        let content = SourceContent(feed, settings, now: now)
        do throws(DocumentError) {
            let published = try content.document.map { bytes throws(DocumentError) in
                try Snapshot(publishing: bytes)
            }
            let snapshot = content.make(published)
            return SourcePreview(feed: feed, address: document.address, snapshot: snapshot)
        } catch {
            let place = error.path.isEmpty ? "" : "\(error.path): "
            throw .refused(.failed(place + error.reason))
        }
    }
}
