package import FeedModel

/// Makes and reads the record of a version in a journal.
///
/// The record has the changes from the version before (``VersionDelta``), and perhaps the details
/// of the version.
package enum DeltaRecord {
    /// The first byte of a record with details; the details follow, then the delta.
    ///
    /// A record without details is a ``VersionDelta`` alone, with ``VersionDelta/form`` first.
    private static let detailedForm: UInt8 = 2

    /// Makes the record of a version.
    ///
    /// - Parameters:
    ///   - changes: The changes from `old` to `new`.
    ///   - old: The version before.
    ///   - new: The version, with an index of its ids.
    ///   - details: The details of the version; `nil`: the record has none.
    /// - Returns: The bytes of the record.
    package static func bytes(
        _ changes: Changes,
        from old: Snapshot,
        to new: Snapshot,
        details: VersionDetails? = nil
    ) -> [UInt8] {
        let delta = VersionDelta(changes, from: old, to: new).bytes
        guard let details else { return delta }
        var writer = ByteWriter(capacity: delta.count + 32)
        writer.byte(detailedForm)
        writer.details(details)
        writer.raw(delta)
        return writer.bytes
    }

    /// Returns the details in a record, and the bytes of its delta.
    private static func parts(
        _ record: [UInt8]
    ) throws(ByteReader.Failure) -> (details: VersionDetails, delta: [UInt8]) {
        guard record.first == detailedForm else { return (VersionDetails(), record) }
        var reader = ByteReader(record)
        _ = try reader.byte()
        return (try reader.details(), reader.rest())
    }

    /// Returns the details in a record; unknown details if there are none, or they are damaged.
    package static func details(_ record: [UInt8]) -> VersionDetails {
        (try? parts(record))?.details ?? VersionDetails()
    }

    /// Applies a record to the version before it.
    ///
    /// - Parameters:
    ///   - record: The bytes that ``bytes(_:from:to:details:)`` made.
    ///   - snapshot: The version before.
    ///   - published: The time at which the record's version was published, in seconds since 1970.
    /// - Returns: The record's version.
    /// - Throws: An error if the record is damaged, or does not fit the version before.
    package static func apply(
        _ record: [UInt8],
        to snapshot: Snapshot,
        published: Double
    ) throws -> Snapshot {
        guard StoredNumber.times.contains(published) else { throw ByteReader.Failure() }
        let delta = try VersionDelta(try parts(record).delta)
        let next = try delta.applied(to: snapshot, at: UInt32(clamping: Int(published)))
        guard next.count == delta.count, next.order == delta.order else {
            throw ByteReader.Failure()
        }
        return next
    }
}
