public import FeedModel
public import Foundation

/// A feed as an app keeps it: what it holds of it, and how it stands with the server.
///
/// It is brought up to date by ``refresh()``, by ``wait(_:)``, by ``FeedService/pull(_:)`` for
/// several at once, and for as long as somebody reads ``live()``.
public actor Feed {
    /// How it stands with the server.
    public enum State: Sendable {
        /// Nothing is under way.
        case idle
        /// An answer is awaited.
        case refreshing
        /// What changes arrives by itself.
        case live
        /// The server could not be reached, or could not answer.
        case offline
    }

    /// The feed's id.
    public nonisolated let name: FeedName

    /// The part of the feed that is kept.
    public nonisolated let view: FeedView

    /// Whether changes are asked for also where a snapshot is shorter: for an app that shows each.
    public nonisolated let showsChanges: Bool

    /// What is held, with its version.
    public private(set) var copy: FeedCopy

    /// How it stands with the server.
    public private(set) var state = State.idle

    /// When the server last said what is current.
    public private(set) var refreshed: Date?

    /// What was wrong last, in words; `nil` since it worked again.
    public private(set) var problem: String?

    nonisolated let service: FeedService
    private var refreshing: Task<FeedNews, any Error>?

    /// Makes a feed that holds nothing yet; sends nothing.
    ///
    /// - Parameters:
    ///   - name: The feed's id.
    ///   - service: Where it is.
    ///   - view: The part of it to keep.
    ///   - showsChanges: Whether changes are asked for also where a snapshot is shorter.
    public init(
        _ name: FeedName,
        of service: FeedService,
        view: FeedView = FeedView(),
        showsChanges: Bool = false
    ) {
        self.name = name
        self.view = view
        self.showsChanges = showsChanges
        self.service = service
        copy = FeedCopy(name, view: view)
    }

    /// Asks what is new, and takes it; calls at the same time share one request.
    ///
    /// - Returns: What is new.
    /// - Throws: ``FeedServiceError``, with what is held as it was.
    @discardableResult
    public func refresh() async throws -> FeedNews {
        if let refreshing { return try await refreshing.value }
        let task = Task { try await ask(wait: nil) }
        refreshing = task
        defer { refreshing = nil }
        return try await task.value
    }

    /// Asks what is new, and waits until there is something.
    ///
    /// - Parameter time: At most 60 seconds.
    /// - Returns: What is new.
    /// - Throws: ``FeedServiceError``, with what is held as it was.
    @discardableResult
    public func wait(_ time: Duration = .seconds(60)) async throws -> FeedNews {
        try await ask(wait: time)
    }

    /// Follows the feed: what changes is taken as it comes, for as long as the result is read.
    ///
    /// - Returns: What came, in turn; see ``FeedService/follow(_:)``.
    public nonisolated func live() -> AsyncThrowingStream<FeedEvent, any Error> {
        service.follow([self])
    }

    private func ask(wait: Duration?) async throws -> FeedNews {
        let before = state
        if before != .live { state = .refreshing }
        do {
            let request = service.requests.get(
                name,
                since: copy.token,
                view: view,
                asChanges: showsChanges,
                wait: wait
            )
            let result = try await service.send(request, isHeld: wait != nil)
            let event = try await take(try result.served(name))
            if before != .live { state = .idle }
            return event.news
        } catch {
            failed(error, isOffline: before != .live)
            throw error
        }
    }
}

extension Feed {
    /// Takes what the server says; where it does not fit, asks what there is.
    func take(_ document: ServedDocument) async throws -> FeedEvent {
        do {
            return try apply(document)
        } catch let mismatch as FeedMismatch {
            var event = try await recover(since: mismatch.isOfVersions ? copy.token : nil)
            event.isRecovery = true
            return event
        }
    }

    /// Asks for what changed since a version, and where that does not fit either for the snapshot.
    private func recover(since token: Token?) async throws -> FeedEvent {
        let request = service.requests.get(
            name,
            since: token,
            view: view,
            asChanges: showsChanges
        )
        let document = try await service.send(request).served(name)
        do {
            return try apply(document)
        } catch let mismatch as FeedMismatch {
            guard token == nil else { return try await recover(since: nil) }
            throw FeedServiceError.unexpected("the snapshot is wrong: \(mismatch.reason)")
        }
    }

    private func apply(_ document: ServedDocument) throws -> FeedEvent {
        let news = try copy.take(document)
        refreshed = Date()
        problem = nil
        return FeedEvent(feed: self, news: news, copy: copy, document: document)
    }

    /// Notes how it is followed.
    func followed(_ state: State) {
        self.state = state
    }

    /// Notes what was wrong.
    func failed(_ error: any Error, isOffline: Bool) {
        guard !(error is CancellationError) else {
            if isOffline { state = .idle }
            return
        }
        problem = (error as? FeedServiceError)?.description ?? "\(error)"
        if isOffline { state = .offline }
    }
}
