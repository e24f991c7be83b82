import Dispatch
import FeedDiff
package import FeedModel
import Synchronization

/// Lists, restores and forgets older versions (docs/PUBLISHING.md, "Going back"). The history
/// in memory has the recent ones. The journal may store more (``KeptVersion``), which only
/// requesters with the right to write a feed can see.
extension FeedStore {
    /// The rules for how many older versions the journal stores.
    ///
    /// New rules take effect with the next publish of a feed.
    package var retention: FeedRules<Retention> {
        get { retentions.withLock(\.self) }
        set { retentions.withLock { $0 = newValue } }
    }

    /// Returns whether the journal may have older versions of a feed than the history.
    package func keepsOlderVersions(of feed: FeedName) -> Bool {
        journal != nil && retention[feed] != nil && !isVolatile(feed)
    }

    /// Returns the record of the version that a publication supersedes, for the journal; `nil`: the
    /// journal does not store that version.
    func keeping(_ publication: Publication?) -> JournalEntry.Keeping? {
        guard let publication, publication.isChanged, let previous = publication.previous,
            let retention = retention[previous.feed]
        else { return nil }
        let next = publication.current
        let changes = Changes(from: next.snapshot, to: previous.snapshot)
        var content = DeltaRecord.bytes(changes, to: previous.snapshot)
        // After as many bytes of changes as the items have, a whole version is stored: so
        // rebuilding a version never reads more than about two whole ones.
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

    /// Lists the versions that a feed can be taken back to, the newest first.
    ///
    /// - Parameters:
    ///   - token: The version before which the list begins; `nil`: it begins with the current one.
    ///   - limit: The most versions, at least one.
    ///   - completion: Called once, on any thread, with the versions; with `nil` if the feed or the
    ///     version `token` does not exist.
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
        // The journal is asked for older versions, and also for `token` if the history does not
        // have it.
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

    /// Finds an older version of a feed in memory or in the journal.
    ///
    /// - Parameter completion: Called once, on any thread, with the version; with `nil` if it does
    ///   not exist.
    package func olderVersion(
        _ token: Token,
        of feed: FeedName,
        completion: @escaping @Sendable (Result<Version?, JournalError>) -> Void
    ) {
        if let version = version(token, of: feed) { return completion(.success(version)) }
        guard keepsOlderVersions(of: feed) else { return completion(.success(nil)) }
        let (retention, wall) = (retention[feed], clock.wall())
        wayBack(to: token, of: feed) { way in
            completion(
                Result { () throws(JournalError) in
                    guard let way = try way.get(),
                        retention?.isYoung(way.oldest.superseded, at: wall) == true
                    else { return nil }
                    return try way.version(token, of: feed)
                }
            )
        }
    }

    /// Finds the stored versions that are needed to rebuild an older one from a version in memory.
    ///
    /// - Parameter completion: Called on ``rebuilding`` with the versions; with `nil` if the
    ///   journal does not store the version.
    private func wayBack(
        to token: Token,
        of feed: FeedName,
        completion: @escaping @Sendable (Result<WayBack?, JournalError>) -> Void
    ) {
        let start = state.withLock { state -> Version? in
            guard let history = state.feeds[feed]?.history,
                history.current.token.hasSameEpoch(as: token),
                token.version < history.current.token.version
            else { return nil }
            return history.version(after: token.version)
        }
        guard let start, let journal else { return completion(.success(nil)) }
        let query = KeptQuery.content(of: token.version, before: start.token.version)
        journal.findKept(query, of: feed, epoch: token.epoch) { found in
            self.rebuilding.async {
                completion(
                    found.map { versions in
                        guard let oldest = versions.first, oldest.version == token.version
                        else { return nil }
                        return WayBack(oldest: oldest, versions: versions, start: start)
                    }
                )
            }
        }
    }
}

/// An entry in the list of a feed's versions.
package struct ListedVersion: Sendable {
    package let token: Token
    /// The time of the publish, in seconds since 1970.
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

/// The stored versions from an older version up to a whole one, or up to a version in memory: their
/// changes, applied backwards, rebuild the older version.
private struct WayBack: Sendable {
    /// The version to rebuild, which is the first of ``versions``.
    let oldest: KeptVersion
    /// The stored versions, the oldest first.
    let versions: [KeptVersion]
    /// The version in memory.
    let start: Version

    /// Rebuilds the content of the oldest version.
    func snapshot() throws(JournalError) -> Snapshot {
        var last = (version: start.token.version, snapshot: start.snapshot)
        for version in versions.reversed() {
            guard version.isWhole || version.next == last.version,
                let snapshot = try? KeptContent.snapshot(of: version, from: last.snapshot),
                snapshot.count == version.count
            else {
                throw JournalError("kept version \(version.version) of \(start.feed) is damaged")
            }
            last = (version.version, snapshot)
        }
        return last.snapshot
    }

    /// Rebuilds the oldest version.
    func version(_ token: Token, of feed: FeedName) throws(JournalError) -> Version {
        let content = VersionContent(
            token: token,
            snapshot: try snapshot(),
            published: oldest.published,
            details: oldest.details
        )
        return Version(content, of: feed, earlierSecond: .max, isKept: true)
    }
}

/// The outcome of forgetting a version.
package enum ForgetOutcome: Sendable {
    /// The version was forgotten.
    case done
    /// The version is the current one, which cannot be forgotten.
    case isCurrent
    /// The version is neither in memory nor kept by the journal.
    case unknown
    /// The version was not forgotten, for this reason.
    case refused(String)
    /// The version may be forgotten or not, for this reason.
    case undecided(String)
}

/// Forgets a version.
extension FeedStore {
    /// Forgets a version that is not current, in memory and in the journal.
    ///
    /// - Parameter completion: Called once, on any thread.
    package func forget(
        _ token: Token,
        of feed: FeedName,
        dryRun: Bool = false,
        completion: @escaping @Sendable (ForgetOutcome) -> Void
    ) {
        let current = current(feed)
        guard let current, current.token.hasSameEpoch(as: token),
            token.version <= current.token.version
        else { return completion(.unknown) }
        guard token.version < current.token.version else { return completion(.isCurrent) }
        guard let journal, !isVolatile(feed) else {
            let isKnown =
                dryRun ? version(token, of: feed) != nil : forgetInMemory(token, of: feed)
            return completion(isKnown ? .done : .unknown)
        }
        let query = KeptQuery.list(before: token.version + 1, limit: 2)
        journal.findKept(query, of: feed, epoch: token.epoch) { found in
            do throws(JournalError) {
                let kept = try found.get()
                let own = kept.first?.version == token.version ? kept.first : nil
                guard own != nil || self.version(token, of: feed) != nil else {
                    return completion(.unknown)
                }
                if dryRun { return completion(.done) }
                self.forget(token, of: feed, own, before: own == nil ? nil : kept.last, completion)
            } catch {
                completion(.refused(error.description))
            }
        }
    }

    /// Has the journal forget a version.
    ///
    /// - Parameters:
    ///   - own: The journal's record of the version; `nil`: the journal does not store it.
    ///   - before: The stored version before it; `own` itself or `nil` if there is none.
    ///   - completion: Called once, on any thread.
    private func forget(
        _ token: Token,
        of feed: FeedName,
        _ own: KeptVersion?,
        before: KeptVersion?,
        _ completion: @escaping @Sendable (ForgetOutcome) -> Void
    ) {
        let order = ForgetOrder(feed: feed, token: token, next: own?.next)
        guard let own, let before, before.next == own.version else {
            return carryOut(order, completion)
        }
        // The stored version before becomes a whole one, which needs none after it.
        let last = Token(epochCode: token.epochCode, version: before.version)
        wayBack(to: last, of: feed) { way in
            do throws(JournalError) {
                guard let way = try way.get() else {
                    return completion(.refused("the versions changed meanwhile: try again"))
                }
                var replacement = way.oldest
                replacement.next = own.next
                replacement.content = KeptContent.whole(try way.snapshot())
                var order = order
                order.replacement = replacement
                self.carryOut(order, completion)
            } catch {
                completion(.refused(error.description))
            }
        }
    }

    private func carryOut(
        _ order: ForgetOrder,
        _ completion: @escaping @Sendable (ForgetOutcome) -> Void
    ) {
        journal?.forget(order) { outcome in
            switch outcome {
            case .durable:
                _ = self.forgetInMemory(order.token, of: order.feed)
                completion(.done)
            case .late: completion(.refused("the versions changed meanwhile: try again"))
            case .refused(let reason): completion(.refused(reason))
            case .unknown(let reason): completion(.undecided(reason))
            }
        }
    }

    /// Forgets a version in the history, with the cached responses that have parts of it.
    ///
    /// - Returns: Whether it was remembered.
    func forgetInMemory(_ token: Token, of feed: FeedName) -> Bool {
        let (gone, current) = state.withLock { state -> (Version?, Version?) in
            guard let history = state.feeds[feed]?.history,
                history.current.token.hasSameEpoch(as: token), token != history.current.token
            else { return (nil, nil) }
            let gone = state.changeHistory(of: feed) { $0.forget(token.version) }
            return (gone ?? nil, history.current)
        }
        // Cached changes since the forgotten version contain ids of its items.
        current?.attachment.withLock { $0 }?.clear()
        return gone != nil
    }
}
