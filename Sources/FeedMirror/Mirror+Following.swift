import Dispatch
import FeedAPI
import FeedModel
import FeedStore
import HTTPClient
import HTTPTypes
import Synchronization

/// Follows the origin's stream.
extension Mirror {
    /// The most names in a request (docs/PROTOCOL.md, "Very many feeds").
    private static let nameLimit = 100_000

    /// Opens a stream, and applies its events until it ends.
    ///
    /// - Returns: Whether the stream had sent its event `ready` and no event failed to fit: the
    ///   next attempt may then begin soon.
    func followOnce() async -> Bool {
        var request = request(.post, "/events")
        request.fields[.contentType] = "application/json"
        request.fields[.accept] = "text/event-stream"
        request.body = await onQueue { self.beginning() }
        request.limits.whole = nil
        request.limits.stalled = settings.silence
        request.limits.bodyByteCount = .max
        do {
            let (head, body) = try await client.streamed(request)
            guard head.status == 200 else {
                let hint =
                    [401, 403].contains(head.status) ? "; its key needs the right follow there" : ""
                return lost("it answers \(head.status)\(hint)")
            }
            guard try await follow(body) else {
                lost("a feed did not come to what it should")
                return false
            }
            return lost("the stream has ended")
        } catch {
            return lost("\(error)")
        }
    }

    /// Applies the events of a stream until it ends.
    ///
    /// - Returns: `false` as soon as an event does not fit the feed in the store.
    private func follow(_ body: ArrivingBody) async throws -> Bool {
        var parser = EventParser()
        for try await bytes in body {
            for case .event(let event) in try parser.parse(bytes) {
                guard await take(event) else { return false }
            }
            heard()
        }
        return true
    }

    func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPClient.Request {
        HTTPClient.Request(
            method,
            settings.origin + path,
            fields: [.authorization: "Bearer \(settings.key)"]
        )
    }

    /// Returns the content of the request for a stream: the patterns, and the tokens of the
    /// followed feeds in the store.
    ///
    /// Called on the mirror's queue.
    private func beginning() -> [UInt8] {
        let unfit = state.withLock(\.unfit)
        let named = mirrored().prefix(Mirror.nameLimit).filter { !unfit.contains($0.feed) }
        state.withLock { $0.arrivals.streamBegins(with: named.lazy.map(\.feed)) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("match")
        writer.beginArray()
        for pattern in settings.patterns { writer.string(pattern.text) }
        writer.endArray()
        writer.name("feeds")
        writer.beginObject()
        for version in named {
            writer.member(version.feed.rawValue, version.token.description)
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    /// Returns the feeds in the store that are followed.
    private func mirrored() -> [Version] {
        store.all().filter { follows($0.feed) }
    }

    /// Handles the event `ready`, after which the stream has brought all feeds of the origin;
    /// called on the mirror's queue.
    private func streamIsReady() {
        if let known = state.withLock({ $0.arrivals.streamIsReady() }) {
            // The stream reports nothing of a missing feed that its request did not name.
            for version in mirrored() where !known.contains(version.feed) { remove(version.feed) }
        }
        becameReady()
    }

    /// Applies an event, and returns whether the stream can go on; otherwise a new stream begins.
    private func take(_ event: ServerEvent) async -> Bool {
        guard event.name != "ready" else {
            await onQueue { self.streamIsReady() }
            return true
        }
        let document: ServedDocument
        do {
            document = try ServedDocument(parsing: event.data)
        } catch {
            passedOver("\(error)")
            return true
        }
        return await onQueue { self.take(document, isStream: true) }
    }

    /// Reports that an event was skipped because it was not understood, perhaps since the origin is
    /// newer.
    ///
    /// A repeated reason is reported once.
    private func passedOver(_ reason: String) {
        let isNews = state.withLock { state in
            defer { state.passedOver = reason }
            return state.passedOver != reason
        }
        guard isNews else { return }
        settings.report("an event of \(settings.origin) is passed over: \(reason)")
    }

    /// Runs `body` on the mirror's queue.
    func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
