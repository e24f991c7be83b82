import FeedModel

extension Feed {
    /// How it stands with the rows after those that are held, as a row at a list's end shows it.
    public enum LoadMoreState: Sendable, Equatable {
        /// Nothing is under way.
        case idle
        /// Rows are being fetched.
        case loading
        /// They could not be; ``Feed/loadMore(_:)`` tries again.
        case problem(FeedServiceError)
    }

    /// The outcome of fetching rows.
    enum LoadMoreOutcome: Equatable {
        case pending, done, cancelled
        case failed(FeedServiceError)
    }

    /// Fetches the rows after those that are held, where a view's limit shows the first ones, and
    /// keeps them: the limit of ``view`` grows.
    ///
    /// Calls at the same time share one request. A caller whose task is cancelled gets a
    /// `CancellationError` at once, and the request goes on. Changes that come meanwhile wait for
    /// it; a feed that is followed goes on with the new limit. A feed that holds nothing yet is
    /// refreshed, and one that holds all is asked for nothing.
    ///
    /// - Parameter count: How many rows, from 1 to 1,000; `nil`: as many as the feed's limit was
    ///   at first.
    /// - Returns: Whether there are still more.
    /// - Throws: ``FeedServiceError``, with what is held as it was.
    @discardableResult
    public func loadMore(_ count: Int? = nil) async throws -> Bool {
        load()
        guard copy.token != nil else {
            try await refresh()
            return copy.hasMore
        }
        guard copy.hasMore else { return false }
        let outcome = loadingMore ?? beginLoadingMore(count ?? firstView.limit ?? 0)
        await outcome.waitForChange(from: .pending)
        switch outcome.value {
        case .pending, .cancelled: throw CancellationError()
        case .failed(let error): throw error
        case .done: return copy.hasMore
        }
    }

    private func beginLoadingMore(_ count: Int) -> ChangeMonitor<LoadMoreOutcome> {
        let outcome = ChangeMonitor(LoadMoreOutcome.pending)
        loadingMore = outcome
        loadMoreState = .loading
        publish()
        Task {
            let result = await result(ofLoading: min(max(1, count), 1_000))
            loadingMore = nil
            if case .failed(let error) = result {
                loadMoreState = .problem(error)
            } else {
                loadMoreState = .idle
            }
            publish()
            outcome.update { $0 = result }
        }
        return outcome
    }

    private func result(ofLoading count: Int) async -> LoadMoreOutcome {
        do {
            try await fetchMore(count)
            service.works.update { $0 += 1 }
            return .done
        } catch let error as FeedServiceError {
            return .failed(error)
        } catch {
            return error is CancellationError ? .cancelled : .failed(.unexpected("\(error)"))
        }
    }

    /// Fetches rows at the version that is held, so that nothing which is there comes again; where
    /// the server has forgotten that, all that the greater view shows.
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

    /// - Returns: `nil` where the version is forgotten, the feed is gone, or the view is of several
    ///   sections, whose rows no page has.
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

    /// Waits while rows are being fetched, so that these fit what is held when they come.
    ///
    /// - Throws: `CancellationError`.
    func waitForRows() async throws {
        while let loadingMore {
            await loadingMore.waitForChange(from: .pending)
            try Task.checkCancellation()
        }
    }
}
