import FeedModel
import FeedStore

/// Follows other servers: reads the versions that they made.
extension PostgresWorker {
    /// The number of feeds that are read by one query.
    static let loadCount = 200

    /// Compares the database's newest versions of some feeds with the known ones, and reads the
    /// missing versions.
    ///
    /// - Parameter remote: Gets the changes for the store, in order. After an error, the changes so
    ///   far must be handed over, too: they would not be found again.
    func follow(_ changes: [StoredVersion], _ remote: inout [RemoteChange]) throws(PostgresError) {
        var behind: [(name: FeedName, head: FeedChain)] = []
        var others: [FeedName] = []
        for row in changes {
            let head = heads[row.name]
            damaged[row.name] = nil
            if row.id == 0 {
                try remove(row.name, &remote)
            } else if let head, head.id == row.id, head.newest.epoch == row.epoch {
                if row == head.newest { continue }
                if row.version > head.version {
                    behind.append((row.name, head))
                    continue
                }
                // A version that readers saw is gone, so their tokens must not match later
                // versions.
                try drawEpoch(row)
                others.append(row.name)
            } else {
                others.append(row.name)
            }
        }
        for start in stride(from: 0, to: behind.count, by: PostgresWorker.loadCount) {
            let part = behind[start..<min(behind.count, start + PostgresWorker.loadCount)]
            let (found, unfit, split) = try readLater(Array(part))
            remote += found
            others += unfit
            // The next version in the database does not follow the known one: the known one is
            // gone, and readers saw it.
            for row in changes where split.contains(row.name) { try drawEpoch(row) }
        }
        for start in stride(from: 0, to: others.count, by: PostgresWorker.loadCount) {
            let part = others[start..<min(others.count, start + PostgresWorker.loadCount)]
            try loadSound(Array(part), &remote)
        }
    }

    /// Forgets a feed that does not exist any more; `remote` gets the removal of a known feed.
    func remove(_ feed: FeedName, _ remote: inout [RemoteChange]) throws(PostgresError) {
        guard heads[feed] != nil else { return }
        let deleted = try latestDeleted()
        heads[feed] = nil
        remote.append(.removal(feed, latestDeleted: deleted))
    }

    /// Compares all feeds with the database, after a connection was lost or deletions may have been
    /// missed.
    ///
    /// - Parameter remote: See ``follow(_:_:)``.
    func compareAll(_ remote: inout [RemoteChange]) throws(PostgresError) {
        let rows = try session.run(PostgresSchema.allHeads)
        let forgotten = try session.run(PostgresSchema.forgotten, [.text("0"), .integer(0)])
        var changes = changes(rows)
        let found = Set(changes.map(\.name))
        for name in heads.keys where !found.contains(name) {
            changes.append(StoredVersion(absent: name))
        }
        try follow(changes, &remote)
        noteForgotten(forgotten, &remote)
        if let first = rows.first { horizon = first.text(0) }
    }

    private func drawEpoch(_ row: StoredVersion) throws(PostgresError) {
        settings.report("the database has lost versions of \"\(row.name)\": it gets a new epoch")
        try session.run(
            """
            UPDATE freshet_feed SET epoch = $3::text, change = pg_current_xact_id(), writer = 0
            WHERE name = $1::text AND id = $2::bigint AND epoch = $4::text
            """,
            [
                .text(row.name.rawValue), .integer(row.id), .text(Token.randomEpoch()),
                .text(row.epoch),
            ]
        )
    }

    /// Reads the versions after the known ones.
    ///
    /// - Returns: The changes for the store; the feeds that have to be read as a whole, since a
    ///   version is missing; and among those the feeds whose next version does not follow the known
    ///   one.
    private func readLater(
        _ feeds: [(name: FeedName, head: FeedChain)]
    ) throws(PostgresError) -> (remote: [RemoteChange], unfit: [FeedName], split: Set<FeedName>) {
        let rows = try session.run(
            PostgresSchema.laterVersions,
            [
                .texts(feeds.map(\.name.rawValue)), .integers(feeds.map(\.head.id)),
                .integers(feeds.map(\.head.version)),
            ]
        )
        var remote: [RemoteChange] = []
        var unfit = Set(feeds.map(\.name))
        var split: Set<FeedName> = []
        for row in rows {
            guard let name = FeedName(row.text(0)), var head = heads[name] else { continue }
            let (version, published) = (row.integer(2), row.real(3))
            let data = row.blob(5)
            let next = head.row(version: version, published: published, data)
            guard row.text(1) == head.newest.epoch, version > head.version else { continue }
            // A version may not fit after others that did.
            unfit.insert(name)
            guard next.hash == row.bits(4) else {
                split.insert(name)
                continue
            }
            guard let kept = try? head.follow(next, data, number: VersionNumber.next()) else {
                continue
            }
            heads[name] = head
            unfit.remove(name)
            remote.append(.version(kept, of: name))
        }
        return (remote, Array(unfit), split)
    }
}
