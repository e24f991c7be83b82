import FeedModel

extension Feed {
    /// The state of loading further rows, for a row at the end of a list.
    public enum LoadMoreState: Sendable, Equatable {
        /// No rows are being fetched.
        case idle
        /// Rows are being fetched.
        case loading
        /// Rows could not be fetched; ``Feed/loadMore(_:)`` tries again.
        case problem(FeedServiceError)
    }

    /// Fetches the next rows of a feed whose view has a limit, and raises the limit of ``view``.
    ///
    /// Simultaneous calls share one request. A caller whose task is cancelled gets a
    /// `CancellationError` at once, but the request continues. Changes that arrive meanwhile are
    /// applied afterwards, and following continues with the new limit. A feed without content is
    /// refreshed; for a feed with all rows, no request is sent.
    ///
    /// - Parameter count: The number of rows, from 1 to 1,000; `nil`: the feed's first limit.
    /// - Returns: Whether there are further rows.
    /// - Throws: ``FeedServiceError``; the content is then unchanged.
    @discardableResult
    public func loadMore(_ count: Int? = nil) async throws -> Bool {
        load()
        guard copy.token != nil else {
            try await refresh()
            return copy.hasMore
        }
        guard copy.hasMore else { return false }
        try await (loadingMore ?? beginLoadingMore(count ?? firstView.limit ?? 0)).value()
        return copy.hasMore
    }

    private func beginLoadingMore(_ count: Int) -> SharedTask<Void> {
        let loading = SharedTask { try await self.finishLoadingMore(min(max(1, count), 1_000)) }
        loadingMore = loading
        update.loadMoreState = .loading
        publish()
        return loading
    }

    private func finishLoadingMore(_ count: Int) async throws {
        defer {
            loadingMore = nil
            publish()
        }
        do {
            try await fetchMore(count)
            service.works.update { $0 += 1 }
            update.loadMoreState = .idle
        } catch let error as CancellationError {
            update.loadMoreState = .idle
            throw error
        } catch {
            let problem = error as? FeedServiceError ?? .unexpected("\(error)")
            update.loadMoreState = .problem(problem)
            throw problem
        }
    }

    /// Fetches the next rows of the version that is held.
    ///
    /// If the server has forgotten that version, all rows of the greater view are fetched.
    private func fetchMore(_ count: Int) async throws {
        let held = copy.snapshot.count
        var greater = view
        greater.limit = max(view.limit ?? 0, held + count)
        if let page = try await page(at: held, count),
            let grown = copy.appending(page, through: greater)
        {
            return grow(to: grown.copy, by: grown.rows)
        }
        let result = try await service.send(service.requests.get(name, since: nil, view: greater))
        do {
            try apply(try result.served(name), through: greater)
        } catch let mismatch as FeedMismatch {
            throw FeedServiceError.unexpected("the snapshot is wrong: \(mismatch.reason)")
        }
    }

    /// Fetches a page of rows; `nil`: the version is forgotten, the feed is gone, or the view has
    /// several sections, for which there are no pages.
    private func page(at offset: Int, _ count: Int) async throws -> FeedPage? {
        let sections = view.sections
        guard sections.map({ $0.count == 1 }) ?? true else { return nil }
        do {
            return try await service.rows(
                of: name,
                section: sections?.first,
                offset: offset,
                limit: count,
                version: copy.token
            )
        } catch FeedServiceError.problem(status: 404, _, _) {
            return nil
        } catch FeedServiceError.problem(status: 410, _, _) {
            return nil
        }
    }

    /// Waits while rows are being fetched: changes applied before would make the rows unfit.
    ///
    /// - Throws: `CancellationError`.
    func waitForRows() async throws {
        while let loadingMore {
            _ = try? await loadingMore.value()
            try Task.checkCancellation()
        }
    }
}
