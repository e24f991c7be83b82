public import FeedModel

/// Rows by their index, for an app that keeps no copy of the feed.
extension FeedService {
    /// Fetches a range of rows of a feed or a section.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - section: The section to which rows and `offset` are restricted; `nil`: the whole feed.
    ///   - offset: The index of the first row.
    ///   - limit: The most rows, from 1 to 1,000.
    ///   - version: The version of the rows, such as ``FeedPage/token`` of another page; `nil`: the
    ///     current one.
    /// - Returns: The rows; none beyond the last row.
    /// - Throws: ``FeedServiceError``: a problem with status `410` if the server has forgotten the
    ///   version, and with `404` if the feed or the section does not exist.
    public func rows(
        of feed: FeedName,
        section: ExactString? = nil,
        offset: Int = 0,
        limit: Int = 100,
        version: Token? = nil
    ) async throws -> FeedPage {
        var query = [("offset", String(offset)), ("limit", String(limit))]
        if let version { query.append(("version", version.description)) }
        let rows = section.map { ["sections", $0.string] } ?? ["items"]
        let request = requests.make("GET", ["feeds", feed.rawValue] + rows, query: query)
        let document = try await send(request).document("application/json")
        do {
            return try FeedPage(parsing: document, of: feed)
        } catch {
            throw FeedServiceError.unexpected("the server sent no page of rows")
        }
    }

    /// Returns all rows of a feed or a section, page by page.
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
    ///   - section: The section to which the rows are restricted; `nil`: the whole feed.
    ///   - limit: The most rows of a page, from 1 to 1,000.
    /// - Returns: The pages. Each is requested when it is read.
    public func pages(
        of feed: FeedName,
        section: ExactString? = nil,
        limit: Int = 100
    ) -> FeedPages {
        FeedPages(service: self, feed: feed, section: section, limit: limit)
    }
}
