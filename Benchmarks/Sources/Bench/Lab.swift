import Foundation

/// The settings of a run, and the processes and files that were made for it.
struct Lab {
    let freshet: String
    let rounds: Int
    let seconds: Double
    let isShort: Bool
    /// A folder for files that servers read.
    let folder: URL
    let processes = ProcessList()

    init(freshet: String, rounds: Int, seconds: Double, isShort: Bool) throws {
        self.freshet = freshet
        self.rounds = rounds
        self.seconds = seconds
        self.isShort = isShort
        folder = FileManager.default.temporaryDirectory
            .appending(path: "freshet-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func close() {
        endServers()
        try? FileManager.default.removeItem(at: folder)
    }

    func endServers() {
        processes.endAll()
    }

    /// Ends a server that is not needed any more.
    func end(_ server: Server) {
        processes.end(server.processID)
    }

    /// A million, or less in a short run.
    var million: Int { isShort ? 50_000 : 1_000_000 }

    /// Writes a file that servers can read.
    @discardableResult
    func write(_ bytes: some DataProtocol, to name: String) throws -> URL {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        return file
    }
}
