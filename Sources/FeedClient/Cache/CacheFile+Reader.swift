import FeedModel
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension CacheFile {
    /// Reads a cache file record by record, with only one record in memory at a time.
    struct Reader: ~Copyable {
        /// The number of bytes that are read first: all of a short file.
        private static let windowByteLimit = 64 << 10

        private let file: CInt
        private let status: stat
        private let header: String
        /// The first bytes of the file.
        private var window: [UInt8] = []
        private var offset = 0

        /// Opens a file without reading it; `nil`: there is no such file.
        ///
        /// - Parameters:
        ///   - path: The path of the file.
        ///   - header: The expected first line. A file with another one counts as empty.
        init?(_ path: String, header: String) {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            var status = stat()
            guard fstat(file, &status) == 0 else {
                _ = close(file)
                return nil
            }
            self.file = file
            self.status = status
            self.header = header
        }

        deinit { _ = close(file) }

        /// The file's length in bytes.
        var byteCount: Int { Int(status.st_size) }

        /// The file's state when it was opened.
        var stamp: Stamp { Stamp(status) }

        /// The time at which the file was last written, or confirmed to be current.
        var date: Date { status.modified }

        /// Whether the whole file was read and all its records are complete.
        var isWhole: Bool { offset > 0 && offset == byteCount }

        /// Returns the next record's document, and the version that all records so far result in;
        /// `nil` at the end, or if the rest of the file is damaged.
        mutating func next() -> (document: [UInt8], end: End)? {
            guard offset > 0 || readHeader(),
                let line = RecordLine(in: bytes(min(100, byteCount - offset), at: offset)[...])
            else { return nil }
            let start = offset + line.length
            guard byteCount - start > line.byteCount else { return nil }
            let document = bytes(line.byteCount, at: start)
            guard document.count == line.byteCount, CRC32(document[...]).value == line.check
            else { return nil }
            offset = start + line.byteCount + 1
            return (document, line.end)
        }

        private mutating func readHeader() -> Bool {
            window = Reader.read(min(byteCount, Reader.windowByteLimit), of: file, at: 0)
            guard window.starts(with: header.utf8) else { return false }
            offset = header.utf8.count
            return true
        }

        private func bytes(_ count: Int, at offset: Int) -> [UInt8] {
            if offset + count <= window.count { return Array(window[offset..<offset + count]) }
            return Reader.read(count, of: file, at: offset)
        }

        /// Reads a number of bytes; fewer only at the end of the file.
        static func read(_ count: Int, of file: CInt, at offset: Int) -> [UInt8] {
            guard count > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
                while length < count {
                    let number = pread(
                        file,
                        buffer.baseAddress.map { $0 + length },
                        count - length,
                        off_t(offset + length)
                    )
                    if number < 0, errno == EINTR { continue }
                    guard number > 0 else { return }
                    length += number
                }
            }
        }
    }
}
