import FeedStore
import Foundation

/// Makes and reads the bytes by which a journal keeps the state of a source: the form, and JSON.
enum SourceRecord {
    /// The first byte of a record.
    private static let form: UInt8 = 1

    static func bytes(_ state: SourceState) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // A state has nothing that JSON cannot say.
        return [form] + ((try? encoder.encode(state)) ?? Data())
    }

    /// Reads a record; `nil`: it is damaged.
    static func state(_ bytes: [UInt8]) -> SourceState? {
        guard bytes.first == form,
            let state = try? JSONDecoder().decode(SourceState.self, from: Data(bytes.dropFirst())),
            state.isSound
        else { return nil }
        return state
    }
}

/// The states of sources as they are read, by the names of their feeds.
struct KnownSources {
    /// The states that a journal keeps.
    private(set) var kept: [String: SourceState] = [:]
    /// The states in ``kept``, and those of a server that kept them in a file.
    private(set) var all: [String: SourceState] = [:]
    /// The damages in words; sources whose states are damaged are fetched anew.
    private(set) var damage: [String] = []

    init(_ records: SourceStates) {
        for (feed, bytes) in records.sorted(by: { $0.key < $1.key }) {
            if let state = SourceRecord.state(bytes) {
                kept[feed] = state
            } else {
                damage.append(
                    "the kept state of feed \"\(feed)\" is damaged: its source is fetched anew"
                )
            }
        }
        all = kept
    }

    init(_ recovered: RecoveredState) {
        self.init(recovered.sources)
        guard let (place, text) = recovered.oldSources else { return }
        guard
            let states = try? JSONDecoder().decode([String: SourceState].self, from: Data(text))
        else {
            damage.append("\(place) is damaged: all sources are fetched anew")
            return
        }
        for (feed, state) in states.sorted(by: { $0.key < $1.key }) where all[feed] == nil {
            if state.isSound {
                all[feed] = state
            } else {
                damage.append(
                    "\(place) is damaged: a number of feed \"\(feed)\" cannot be, its source is "
                        + "fetched anew"
                )
            }
        }
    }
}
