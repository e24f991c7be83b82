import Dispatch
import FeedDiff
package import FeedModel
import Synchronization

/// Older versions: those that the history remembers, and those that the journal keeps beside it for
/// who may write (docs/PUBLISHING.md, "Going back").
extension FeedStore {
    /// The settings of how many older versions the journal keeps; they count from the next publish
    /// of a feed on.
    package var retention: FeedRules<Retention> {
        get { retentions.withLock(\.self) }
        set { retentions.withLock { $0 = newValue } }
    }

    /// Whether the journal may have older versions of a feed than the history.
    package func keepsOlderVersions(of feed: FeedName) -> Bool {
        journal != nil && retention[feed] != nil && !isVolatile(feed)
    }

    /// Returns the record of the version before a publication, for the journal; `nil`: that version
    /// is not kept.
    func keeping(_ publication: Publication) -> JournalEntry.Keeping? {
        guard publication.isChanged, let previous = publication.previous,
            let retention = retention[previous.feed]
        else { return nil }
        let next = publication.current
        var content = FeedStore.wayBack(from: next.snapshot, to: previous.snapshot)
        // The way back to a version is never longer than two whole ones.
        let sum = previous.keptByteCount.load(ordering: .relaxed) + content.count
        if sum > previous.snapshot.itemByteCount {
            content = KeptContent.whole(previous.snapshot)
            next.keptByteCount.store(0, ordering: .relaxed)
        } else {
            next.keptByteCount.store(sum, ordering: .relaxed)
        }
        return JournalEntry.Keeping(
            retention,
            KeptVersion(
                version: previous.token.version,
                next: next.token.version,
                published: previous.published,
                superseded: next.published,
                count: previous.count,
                details: previous.details,
                content: content
            )
        )
    }

    /// Returns the record of the changes from `next` back to `snapshot`, the version before it.
    private static func wayBack(from next: Snapshot, to snapshot: Snapshot) -> [UInt8] {
        let changes = Changes(from: FeedView()(next), to: FeedView()(snapshot))
        return DeltaRecord.bytes(changes, from: next, to: snapshot)
    }

    /// The versions of a feed that it can be taken back to, the newest first.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - token: The version before which the list begins; `nil`: it begins with the current one.
    ///   - limit: The most versions, at least one.
    ///   - completion: Called once, on any thread, with the versions; `nil` if there is no such feed,
    ///     or `token` is none of them.
    package func versions(
        of feed: FeedName,
        before token: Token?,
        limit: Int,
        completion: @escaping @Sendable (Result<[ListedVersion]?, JournalError>) -> Void
    ) {
        let now = clock.now()
        let (current, remembered) = state.withLock { state -> (Version?, [Version]?) in
            guard let history = state.feeds[feed]?.history,
                token?.hasSameEpoch(as: history.current.token) ?? true
            else { return (nil, nil) }
            let versions = history.versions(before: token?.version, limit: limit, at: now)
            return (history.current, versions)
        }
        guard let current else { return completion(.success(nil)) }
        let list = (remembered ?? []).map { ListedVersion($0) }
        guard list.count < limit, keepsOlderVersions(of: feed), let journal,
            let retention = retention[feed]
        else { return completion(.success(remembered == nil ? nil : list)) }
        // A version that is not remembered is looked for among those that are kept.
        let end = list.last?.token.version ?? token?.version ?? current.token.version
        let isKnown = remembered != nil
        let query = KeptQuery.list(
            before: isKnown ? end : end + 1,
            limit: limit - list.count + (isKnown ? 0 : 1)
        )
        let (epoch, wall) = (current.token.epoch, clock.wall())
        journal.findKept(query, of: feed, epoch: epoch) { found in
            completion(
                found.map { kept in
                    let counting = kept.prefix { retention.isYoung($0.superseded, at: wall) }
                    guard isKnown || counting.first?.version == end else { return nil }
                    let older = isKnown ? counting : counting.dropFirst()
                    return list + older.map { ListedVersion($0, epoch: epoch) }
                }
            )
        }
    }

    /// Finds an older version of a feed that is remembered or kept.
    ///
    /// - Parameters:
    ///   - token: The version.
    ///   - feed: The feed.
    ///   - completion: Called once, on any thread; gets `nil` within if there is none.
    package func olderVersion(
        _ token: Token,
        of feed: FeedName,
        completion: @escaping @Sendable (Result<Version?, JournalError>) -> Void
    ) {
        if let version = version(token, of: feed) { return completion(.success(version)) }
        guard keepsOlderVersions(of: feed) else { return completion(.success(nil)) }
        let (retention, wall) = (retention[feed], clock.wall())
        wayBack(to: token.version, through: token.version, token, of: feed) { way in
            completion(
                way.tryMap { way throws(JournalError) in
                    guard let way, let oldest = way.versions.first,
                        retention?.isYoung(oldest.superseded, at: wall) == true
                    else { return nil }
                    return try way.version(token, of: feed)
                }
            )
        }
    }

    /// Finds the kept versions from which an older one is rebuilt, beginning at a remembered one.
    ///
    /// - Parameters:
    ///   - number: The version to begin with.
    ///   - through: The version that must be on the way, at least; one that is remembered will do.
    ///   - token: A version of the epoch.
    ///   - feed: The feed.
    ///   - completion: Called on ``rebuilding``; gets `nil` within if the version is not kept.
    private func wayBack(
        to number: Int,
        through: Int,
        _ token: Token,
        of feed: FeedName,
        completion: @escaping @Sendable (Result<WayBack?, JournalError>) -> Void
    ) {
        let start = state.withLock { state -> Version? in
            guard let history = state.feeds[feed]?.history,
                history.current.token.hasSameEpoch(as: token),
                through <= history.current.token.version
            else { return nil }
            return history.version(after: through - 1)
        }
        guard let start, let journal else { return completion(.success(nil)) }
        let query = KeptQuery.content(of: number, through: through, before: start.token.version)
        journal.findKept(query, of: feed, epoch: token.epoch) { found in
            self.rebuilding.async {
                completion(
                    found.map { versions in
                        versions.first?.version == number ? WayBack(versions, from: start) : nil
                    }
                )
            }
        }
    }
}

/// A version as a list has it: without its content.
package struct ListedVersion: Sendable {
    package let token: Token
    /// Seconds since 1970.
    package let published: Double
    /// The number of items.
    package let count: Int
    package let details: VersionDetails

    init(_ version: Version) {
        token = version.token
        published = version.published
        count = version.count
        details = version.details
    }

    init(_ kept: KeptVersion, epoch: String) {
        token = Token(epoch: epoch, version: kept.version)
        published = kept.published
        count = kept.count
        details = kept.details
    }
}

/// The kept versions between an older version and one that is in memory, or a whole one.
private struct WayBack: Sendable {
    /// The oldest first.
    let versions: [KeptVersion]
    let start: Version

    init(_ versions: [KeptVersion], from start: Version) {
        self.versions = versions
        self.start = start
    }

    /// Returns the contents of all versions on the way, by their numbers.
    ///
    /// - Parameter wanted: The versions whose contents are returned.
    func contents(of wanted: Set<Int>) throws(JournalError) -> [Int: Snapshot] {
        var contents: [Int: Snapshot] = [:]
        var last = (version: start.token.version, snapshot: start.snapshot)
        if wanted.contains(last.version) { contents[last.version] = last.snapshot }
        for version in versions.reversed() {
            do {
                guard version.isWhole || version.next == last.version else {
                    throw JournalError("it does not lead to the next one")
                }
                let snapshot = try KeptContent.snapshot(of: version, from: last.snapshot)
                guard snapshot.count == version.count else {
                    throw JournalError("it has other items")
                }
                last = (version.version, snapshot)
            } catch {
                throw JournalError("kept version \(version.version) of \(start.feed) is damaged")
            }
            if wanted.contains(last.version) { contents[last.version] = last.snapshot }
        }
        return contents
    }

    /// Returns the oldest version on the way.
    func version(_ token: Token, of feed: FeedName) throws(JournalError) -> Version? {
        guard let kept = versions.first,
            let snapshot = try contents(of: [token.version])[token.version]
        else { return nil }
        let version = Version(
            feed: feed,
            token: token,
            snapshot: snapshot,
            published: kept.published,
            earlierSecond: .max,
            details: kept.details
        )
        version.status.supersede()
        return version
    }
}

extension Result where Failure == JournalError {
    /// Goes on with a value by a function that may fail in the same way.
    fileprivate func tryMap<Value>(
        _ body: (Success) throws(JournalError) -> Value
    ) -> Result<Value, JournalError> {
        do throws(JournalError) {
            return .success(try body(try get()))
        } catch {
            return .failure(error)
        }
    }
}

/// The outcome of an order to forget a version.
package enum ForgetOutcome: Sendable {
    case done
    /// It is the current one.
    case isCurrent
    /// It is neither remembered nor kept.
    case unknown
    /// Nothing was done; with the reason.
    case refused(String)
    /// Whether it is forgotten is not known; with the reason.
    case undecided(String)
}

/// Forgetting a version.
extension FeedStore {
    /// Forgets a version that is not current, in memory and wherever the journal has it.
    ///
    /// - Parameters:
    ///   - token: The version.
    ///   - feed: The feed.
    ///   - completion: Called once, on any thread.
    package func forget(
        _ token: Token,
        of feed: FeedName,
        completion: @escaping @Sendable (ForgetOutcome) -> Void
    ) {
        let current = current(feed)
        guard let current, current.token.hasSameEpoch(as: token),
            token.version <= current.token.version
        else { return completion(.unknown) }
        guard token.version < current.token.version else { return completion(.isCurrent) }
        guard let journal, !isVolatile(feed) else {
            return completion(forgetInMemory(token, of: feed) ? .done : .unknown)
        }
        let query = KeptQuery.list(before: token.version + 1, limit: 2)
        journal.findKept(query, of: feed, epoch: token.epoch) { found in
            do throws(JournalError) {
                let kept = try found.get()
                let own = kept.first?.version == token.version ? kept.first : nil
                guard own != nil || self.version(token, of: feed) != nil else {
                    return completion(.unknown)
                }
                self.forget(token, of: feed, own, before: own == nil ? nil : kept.last, completion)
            } catch {
                completion(.refused(error.description))
            }
        }
    }

    /// Has the journal forget a version.
    ///
    /// - Parameters:
    ///   - own: The kept version, if it is kept.
    ///   - before: The kept version before it, or `own` if there is none.
    private func forget(
        _ token: Token,
        of feed: FeedName,
        _ own: KeptVersion?,
        before: KeptVersion?,
        _ completion: @escaping @Sendable (ForgetOutcome) -> Void
    ) {
        guard let own, let before, before.next == own.version else {
            return carryOut(
                ForgetOrder(
                    feed: feed,
                    epoch: token.epoch,
                    version: token.version,
                    next: own?.next,
                    replacement: nil
                ),
                token,
                completion
            )
        }
        // The version before leads back from the one after.
        wayBack(to: before.version, through: own.next, token, of: feed) { way in
            do throws(JournalError) {
                guard let way = try way.get(), var replacement = way.versions.first else {
                    return completion(.refused("the versions changed meanwhile: try again"))
                }
                let contents = try way.contents(of: [before.version, own.next])
                guard let old = contents[before.version], let next = contents[own.next] else {
                    throw JournalError("kept version \(before.version) of \(feed) is damaged")
                }
                replacement.next = own.next
                if !replacement.isWhole {
                    let delta = FeedStore.wayBack(from: next, to: old)
                    let isLong = delta.count > old.itemByteCount
                    replacement.content = isLong ? KeptContent.whole(old) : delta
                }
                self.carryOut(
                    ForgetOrder(
                        feed: feed,
                        epoch: token.epoch,
                        version: token.version,
                        next: own.next,
                        replacement: replacement
                    ),
                    token,
                    completion
                )
            } catch {
                completion(.refused(error.description))
            }
        }
    }

    private func carryOut(
        _ order: ForgetOrder,
        _ token: Token,
        _ completion: @escaping @Sendable (ForgetOutcome) -> Void
    ) {
        journal?.forget(order) { outcome in
            switch outcome {
            case .durable:
                _ = self.forgetInMemory(token, of: order.feed)
                completion(.done)
            case .late: completion(.refused("the versions changed meanwhile: try again"))
            case .refused(let reason): completion(.refused(reason))
            case .unknown(let reason): completion(.undecided(reason))
            }
        }
    }

    /// Forgets a version that the history remembers, with the responses that were made of it.
    ///
    /// - Returns: Whether it was remembered.
    func forgetInMemory(_ token: Token, of feed: FeedName) -> Bool {
        let (gone, current) = state.withLock { state -> (Version?, Version?) in
            guard let history = state.feeds[feed]?.history,
                history.current.token.hasSameEpoch(as: token), token != history.current.token
            else { return (nil, nil) }
            state.cost.history -= state.historyWeight(of: feed)
            let gone = state.feeds[feed]?.history.forget(token.version)
            if gone != nil { state.versionCount -= 1 }
            state.cost.history += state.historyWeight(of: feed)
            return (gone, history.current)
        }
        // What changed since the version has its ids.
        current?.attachment.withLock { $0 }?.clear()
        return gone != nil
    }
}
