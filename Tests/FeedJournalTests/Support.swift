import FeedDiff
import FeedModel
import FeedStore
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedJournal

/// A body of some items.
func items(_ range: Range<Int>, value: Int = 0) throws -> Snapshot {
    let list = range.map { #"{"id":"i\#($0)","value":\#(value),"text":"some words"}"# }
    return try snapshot(#"{"items":[\#(list.joined(separator: ","))]}"#)
}

/// Why a test's publish came to nothing.
enum Refusal: Error, Equatable {
    case shortage
    case condition
}

typealias Outcome = PublishOutcome<Refusal>

/// A journal of one kind, which can be opened again, and a store over it.
final class Keeping: Sendable {
    enum Kind: CaseIterable {
        case memory
        case disk
        case database

        /// A database only where there is one: FRESHET_TEST_POSTGRES names it.
        static var allCases: [Kind] {
            address == nil ? [.memory, .disk] : [.memory, .disk, .database]
        }

        static let address = ProcessInfo.processInfo.environment["FRESHET_TEST_POSTGRES"]
    }

    let kind: Kind
    let folder: TemporaryFolder
    private let schema = "test\(UInt64.random(in: 1 ... .max))"
    private let medium = MemoryJournal.Medium()
    let time = Atomic(1_700_000_000)
    private let limits: HistoryLimits

    init(_ kind: Kind, _ limits: HistoryLimits = HistoryLimits()) throws {
        self.kind = kind
        self.limits = limits
        folder = try TemporaryFolder()
        guard kind == .database, let address = Kind.address else { return }
        let connection = try PostgresConnection(address, silence: .seconds(30))
        try connection.run("CREATE SCHEMA \(schema)")
    }

    var path: String { folder.path("data") }

    /// A log that is moved often.
    var settings: SQLiteJournal.Settings {
        var settings = SQLiteJournal.Settings { Double(self.time.load(ordering: .relaxed)) }
        settings.logByteCount = 256 << 10
        return settings
    }

    /// A part of the database for this one alone.
    var databaseSettings: PostgresJournal.Settings {
        PostgresJournal.Settings(
            address: (Kind.address ?? "") + "?options=-csearch_path%3D\(schema)"
        ) { Double(self.time.load(ordering: .relaxed)) }
    }

    func journal() throws -> any Journal {
        switch kind {
        case .memory: MemoryJournal(medium)
        case .disk: try SQLiteJournal(try DataFolder(path), settings)
        case .database: try PostgresJournal(databaseSettings)
        }
    }

    func store(_ journal: any Journal) -> FeedStore {
        let clock = FeedStore.Clock(
            now: { .seconds(self.time.load(ordering: .relaxed)) },
            wall: { Double(self.time.load(ordering: .relaxed)) }
        )
        return FeedStore(limits: limits, clock: clock, journal: journal)
    }

    /// Does something with a store, and leaves the folder as a process that is killed does.
    func useAndDie(_ body: (FeedStore) async throws -> Void) async throws {
        do {
            let journal = try SQLiteJournal(try DataFolder(path), settings)
            try await body(store(journal))
        }
        // The journal lets go of it when its queues have nothing to do any more.
        while isInUse { await Task.yield() }
    }

    private var isInUse: Bool {
        let lock = open(path + "/lock", O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        return flock(lock, LOCK_SH | LOCK_NB) != 0
    }

    /// Opens it, does something with a store of what is there, and closes it.
    func use<Result>(
        _ body: (FeedStore, any Journal) async throws -> Result
    ) async throws -> Result {
        let journal = try journal()
        let store = store(journal)
        _ = try store.restore()
        let result: Result
        do {
            result = try await body(store, journal)
        } catch {
            journal.close()
            throw error
        }
        journal.close()
        return result
    }
}

extension FeedStore {
    /// Publishes, and says what became of it.
    func outcome(
        _ feed: FeedName,
        answer: ((Publication?) -> JournalAnswer)? = nil,
        _ transform: (Version?) throws(Refusal) -> Snapshot?
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            publish(
                feed,
                transform,
                answer: answer,
                refusal: { _ in .shortage },
                decided: { continuation.resume(returning: $0) }
            )
        }
    }

    /// Publishes what has to succeed.
    @discardableResult
    func keep(_ feed: FeedName, _ snapshot: Snapshot) async throws -> Publication {
        let outcome = await outcome(feed) { _ throws(Refusal) in snapshot }
        guard case .done(let publication) = outcome else {
            Issue.record("not kept: \(outcome)")
            throw Refusal.condition
        }
        return publication
    }

    /// Removes a feed.
    func drop(_ feed: FeedName) async -> Outcome {
        await outcome(feed) { _ throws(Refusal) in nil }
    }
}

extension Snapshot {
    /// Every byte that matters: members, sections, items in order, and when they were seen.
    var everything: [String] {
        [members.text]
            + sections.flatMap { section in
                ["# \(section.id) \(section.members.text)"]
                    + section.items.map { item in
                        "\(String(decoding: item.json.bytes, as: UTF8.self)) \(item.seen)"
                    }
            }
    }
}

extension Members {
    fileprivate var text: String {
        list.map { "\($0.name)=" + String(decoding: $0.value.bytes, as: UTF8.self) }
            .joined(separator: " ")
    }
}

extension JournalAnswer {
    static func sample(
        _ key: String,
        at time: Double = 1_700_000_000,
        of owner: UInt8 = 1
    ) -> JournalAnswer {
        JournalAnswer(
            owner: [owner],
            key: Array(key.utf8),
            fingerprint: [2],
            response: [3],
            time: time
        )
    }
}
