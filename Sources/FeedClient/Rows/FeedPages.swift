import FeedModel

/// The rows of a feed, page by page, all of one version even if newer ones are published meanwhile.
///
/// If the server has forgotten that version, the sequence starts again with the current one
/// (``FeedPage/isRestart``).
public struct FeedPages: AsyncSequence, Sendable {
    /// A page of rows.
    public typealias Element = FeedPage
    /// The error type: ``FeedServiceError`` or `CancellationError`.
    public typealias Failure = any Error

    let service: FeedService
    let feed: FeedName
    let section: ExactString?
    let limit: Int

    /// Fetches one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// The most restarts in a row without a second page.
        private static let restartLimit = 3

        let pages: FeedPages
        private var last: FeedPage?
        private var restarts = 0

        init(_ pages: FeedPages) {
            self.pages = pages
        }

        /// Returns the next page; `nil` after the last one.
        ///
        /// - Throws: ``FeedServiceError``; the next call requests the same page again.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> FeedPage? {
            guard let last else { return try await page(at: 0, of: nil) }
            guard let next = last.next else { return nil }
            do {
                let page = try await page(at: next, of: last.token)
                restarts = 0
                return page
            } catch FeedServiceError.problem(status: 410, _, _)
                where restarts < Iterator.restartLimit
            {
                restarts += 1
                return try await page(at: 0, of: nil, isRestart: true)
            }
        }

        private mutating func page(
            at offset: Int,
            of version: Token?,
            isRestart: Bool = false
        ) async throws -> FeedPage {
            var page = try await pages.service.rows(
                of: pages.feed,
                section: pages.section,
                offset: offset,
                limit: pages.limit,
                version: version
            )
            page.isRestart = isRestart
            last = page
            return page
        }
    }

    /// Returns an iterator over the pages.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
