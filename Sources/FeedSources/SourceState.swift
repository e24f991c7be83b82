import FeedStore
import Foundation

/// The state of a source, kept over restarts.
package struct SourceState: Codable, Sendable, Equatable {
    /// The source's address; for another address in the configuration, a new state begins.
    package var address: String

    /// The validators as they came (RFC 9110 §8.8), and when they were first seen, seconds since
    /// 1970.
    var eTag: [UInt8]?
    var lastModified: [UInt8]?
    var validatorsSince = 0
    /// The SHA-256 of the last document, and the settings that reading it depends on.
    var digest: String?

    /// The token of the version that the document was published as; if the feed has another
    /// version, the source is read anew.
    var token: String?

    /// The address that permanent redirects led to, and since when; believed after
    /// ``SourceFetch/trustDays``.
    var movedTo: String?
    var movedSince = 0

    /// The time at which the source was last read, or said that its document is the same.
    package var succeeded = 0
    /// The time at which the source last had something new.
    package var changed = 0
    /// The failure of the last try, in words; `nil`: it did not fail.
    package var error: String?
    /// The kind of the failure in ``error``: a ``SourceFailure/Reason``.
    var reason: String?
    package var failureCount = 0
    /// The ways in which the source's last document deviates from its format, in words; `nil`:
    /// none.
    package var notes: [String]?
    /// The number of failures in ``failureCount`` that were pauses of the host; `nil`: none.
    var pauseCount: Int?
    /// The number of failures of the source itself, without the pauses of its host.
    var ownFailureCount: Int { failureCount - (pauseCount ?? 0) }
    /// The time since which the source has answered nothing but `410`; 0: it is not gone.
    var goneSince = 0
    /// Whether the last document had no entries, which is believed when the next one has none,
    /// either.
    var isEmptied: Bool?
    /// The number of tries in a row that the feed's guard has refused, and when the first of them
    /// was; `nil`: none.
    var refusedCount: Int?
    var refusedSince: Int?
    /// The time before which the publisher wants no request (Retry-After).
    var pausedUntil = 0
    /// The time of the source's next try.
    package var nextTry = 0

    /// The seconds between fetches that the last document asks for, as `ttl` in RSS.
    var interval: Int?
    /// The seconds for which the last response is fresh (RFC 9111 §4.2.1).
    var asked: Int?
    /// The estimated seconds between new entries (``SourceSchedule/rhythm(_:now:)``).
    var rhythm: Int?
    /// The time that the last document or its `Last-Modified` has named, seconds since 1970.
    var newest = 0

    /// The source's hub, and the topic to subscribe to there; `nil`: the document names none.
    var hub: String?
    var topic: String?
    /// The subscription at the hub.
    var push: PushSubscription?

    /// The number of refused tries, and the seconds since the first of them, after which a removal
    /// is published although the feed's guard refuses it.
    private static let (refusals, refusalTime) = (3, 3600)

    /// Returns which removals the feed's guard lets through: a removal that the source has repeated
    /// often and long enough is published.
    func allowance(now: Int) -> RemovalGuard.Allowance {
        guard let refusedCount, let refusedSince else { return .guarded }
        let isBelieved =
            refusedCount + 1 >= SourceState.refusals
            && now - refusedSince >= SourceState.refusalTime
        return isBelieved ? .nonempty : .guarded
    }

    package init(address: String) { self.address = address }

    /// Whether all numbers are small enough to be added; numbers of a damaged file may not be.
    var isSound: Bool {
        let numbers = [
            validatorsSince, movedSince, succeeded, changed, failureCount, goneSince, pausedUntil,
            nextTry, interval ?? 0, asked ?? 0, rhythm ?? 0, newest, refusedCount ?? 0,
            refusedSince ?? 0,
        ]
        return (numbers + (push?.numbers ?? [])).allSatisfy(SourceState.bounds.contains)
    }

    /// The range of seconds and counts: up to the end of the year 9999, and as far below zero.
    private static let bounds = -253_402_300_799...253_402_300_799
}

/// Encodes and decodes the state of a source for a journal: a format byte, then JSON.
enum SourceRecord {
    private static let formatByte: UInt8 = 1

    static func bytes(_ state: SourceState) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // A state has nothing that JSON cannot say.
        return [formatByte] + ((try? encoder.encode(state)) ?? Data())
    }

    /// Reads a record; `nil`: it is damaged.
    static func state(_ bytes: [UInt8]) -> SourceState? {
        guard bytes.first == formatByte,
            let state = try? JSONDecoder().decode(SourceState.self, from: Data(bytes.dropFirst())),
            state.isSound
        else { return nil }
        return state
    }
}

/// The states of sources as the journal, or an older server in a file, has stored them.
struct KnownSources {
    /// The states by the names of their feeds.
    private(set) var states: [String: SourceState] = [:]
    /// The damages in words; sources whose states are damaged are fetched anew.
    private(set) var damage: [String] = []

    init(_ records: SourceStates) {
        for (feed, bytes) in records.sorted(by: { $0.key < $1.key }) {
            if let state = SourceRecord.state(bytes) {
                states[feed] = state
            } else {
                damage.append(
                    "the kept state of feed \"\(feed)\" is damaged: its source is fetched anew"
                )
            }
        }
    }

    init(_ recovered: RecoveredState) {
        self.init(recovered.sources)
        guard let (location, text) = recovered.oldSources else { return }
        guard let old = try? JSONDecoder().decode([String: SourceState].self, from: Data(text))
        else {
            damage.append("\(location) is damaged: all sources are fetched anew")
            return
        }
        for (feed, state) in old.sorted(by: { $0.key < $1.key }) where states[feed] == nil {
            if state.isSound {
                states[feed] = state
            } else {
                damage.append(
                    "\(location) is damaged: a number of feed \"\(feed)\" cannot be, its source is "
                        + "fetched anew"
                )
            }
        }
    }
}
