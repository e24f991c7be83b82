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

    /// - Returns: Whether it is written.
    func write(_ states: [String: SourceState]) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(states) else { return false }
        return (try? data.write(to: URL(fileURLWithPath: path), options: .atomic)) != nil
    }
}
