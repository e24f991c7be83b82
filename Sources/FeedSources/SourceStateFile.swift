import Foundation

/// The file with the states of all sources; it is replaced as a whole.
struct SourceStateFile: Sendable {
    let path: String

    /// Reads the file. Sources whose states are damaged are fetched anew.
    ///
    /// - Returns: The states by feed, without those that are damaged, and words about each damage.
    func read() -> (states: [String: SourceState], damage: [String]) {
        guard let data = FileManager.default.contents(atPath: path) else { return ([:], []) }
        guard let states = try? JSONDecoder().decode([String: SourceState].self, from: data) else {
            return ([:], ["\(path) is damaged: all sources are fetched anew"])
        }
        let damaged = states.filter { !$0.value.isSound }.keys.sorted()
        return (
            states.filter { $0.value.isSound },
            damaged.map { feed in
                "\(path) is damaged: a number of feed \"\(feed)\" cannot be, its source is fetched anew"
            }
        )
    }

    /// Replaces the file. Only its owner can read it: addresses may have keys in them, and the
    /// secrets of subscriptions are in it.
    ///
    /// - Returns: Whether the file was written.
    func write(_ states: [String: SourceState]) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(states) else { return false }
        let part = path + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard fchmod(descriptor, 0o600) == 0, (try? file.write(contentsOf: data)) != nil,
            (try? file.synchronize()) != nil
        else { return false }
        return rename(part, path) == 0
    }
}
