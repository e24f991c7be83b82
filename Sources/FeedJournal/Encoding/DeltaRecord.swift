package import FeedModel

/// Makes and reads the bytes of a delta.
package enum DeltaRecord {
    /// Makes the record of a version.
    ///
    /// - Parameters:
    ///   - changes: The changes from `old` to `new`.
    ///   - old: The version before.
    ///   - new: The version, with an index of its ids.
    package static func bytes(_ changes: Changes, from old: Snapshot, to new: Snapshot) -> [UInt8] {
        VersionDelta(changes, from: old, to: new).bytes
    }

    /// Makes the next version of a snapshot.
    ///
    /// - Parameters:
    ///   - record: The bytes that ``bytes(_:from:to:)`` made.
    ///   - snapshot: The version before.
    ///   - published: The time of publishing, in seconds since 1970.
    /// - Throws: An error when the record does not fit the version.
    package static func apply(
        _ record: [UInt8],
        to snapshot: Snapshot,
        published: Double
    ) throws -> Snapshot {
        guard StoredNumber.times.contains(published) else { throw ByteReader.Failure() }
        let delta = try VersionDelta(record)
        let next = try delta.applied(to: snapshot, at: UInt32(clamping: Int(published)))
        guard next.count == delta.count, next.order == delta.order else {
            throw ByteReader.Failure()
        }
        return next
    }
}
