public import FeedModel

/// Rows by their place, for an app that keeps no copy of the feed.
extension FeedService {
    /// Rows of a feed, or of a section of it, from a place on.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - section: Only rows of this section; `offset` counts those.
    ///   - offset: How many rows to pass over.
    ///   - limit: The most rows, from 1 to 1,000.
    ///   - version: The version that the rows are of, such as ``FeedPage/token`` of another page;
    ///     `nil`: the current one.
    /// - Returns: The rows; none where there are no more.
    /// - Throws: ``FeedServiceError``, of which a problem of status `410` where the server has
    ///   forgotten the version, and of `404` where the feed or the section is not there.
    public func rows(
        of feed: FeedName,
        section: ExactString? = nil,
        offset: Int = 0,
        limit: Int = 100,
        version: Token? = nil
    ) async throws -> FeedPage {
        let request = requests.rows(
            of: feed,
            section: section,
            offset: offset,
            limit: limit,
            version: version
        )
        let document = try await send(request).document("application/json")
        do {
            return try FeedPage(parsing: document, of: feed)
        } catch {
            throw FeedServiceError.unexpected("the server sent no page of rows")
        }
    }

    /// All rows of a feed, or of a section of it, page by page.
    ///
    /// ```swift
    /// var rows: [FeedRow] = []
    /// for try await page in service.pages(of: feed) {
    ///     rows = page.isRestart ? page.rows : rows + page.rows
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - section: Only rows of this section.
    ///   - limit: The most rows of a page, from 1 to 1,000.
    /// - Returns: One page for each request; a page is asked for when it is read.
    public func pages(
        of feed: FeedName,
        section: ExactString? = nil,
        limit: Int = 100
    ) -> FeedPages {
        FeedPages(service: self, feed: feed, section: section, limit: limit)
    }
}
