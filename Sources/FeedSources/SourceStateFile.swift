import Foundation

/// What is known of all sources, in a file that is replaced as a whole.
struct SourceStateFile: Sendable {
    let path: String

    /// - Returns: Nothing where there is no such file, or one that cannot be read: then everything
    ///   is fetched anew.
    func read() -> [String: SourceState] {
        guard let data = FileManager.default.contents(atPath: path),
            let states = try? JSONDecoder().decode([String: SourceState].self, from: data)
        else { return [:] }
        return states
    }

    /// Replaces it. It is its owner's alone: addresses may have keys in them, and the secrets of
    /// subscriptions are in it.
    ///
    /// - Returns: Whether it is written.
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
