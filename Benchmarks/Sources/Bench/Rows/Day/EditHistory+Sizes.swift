import Foundation

extension EditHistory {
    /// The sizes of messages about rows: one for each that an edit touches, as events of a stream.
    ///
    /// - Returns: Bytes as they are, and in one gzip stream that is flushed after each edit.
    func rowMessageSizes() throws -> (plain: Int, gzip: Int) {
        let coder = try GzipCoder(level: 6)
        var (plain, gzip, number) = (0, 0, 0)
        for version in versions.dropFirst() {
            var text = ""
            for (kind, row) in version.rows {
                number += 1
                text += "id: \(number)\nevent: \(kind)\ndata: \(row)\n\n"
            }
            plain += text.utf8.count
            gzip += try coder.take(Array(text.utf8)).count
        }
        return (plain, gzip)
    }

    /// The bytes of all patches that make of each version's bytes those of the next: zstd's, with
    /// the version before as a dictionary, at its level 19 and without a checksum.
    ///
    /// - Throws: ``MissingTool``.
    func bytePatchSize(in lab: Lab) throws -> Int {
        let zstd = try Tool.find("zstd", package: "zstd")
        var sum = 0
        var old = try lab.write(versions[0].document, to: "patch/0")
        for (number, version) in versions.enumerated().dropFirst() {
            let new = try lab.write(version.document, to: "patch/\(number)")
            let patch = new.appendingPathExtension("zst")
            let options = ["-19", "--no-check", "-q", "--patch-from=\(old.path)", new.path]
            _ = try Tool.run(zstd, options + ["-o", patch.path])
            sum += try Data(contentsOf: patch).count
            old = new
        }
        try FileManager.default.removeItem(at: lab.folder.appending(path: "patch"))
        return sum
    }
}
