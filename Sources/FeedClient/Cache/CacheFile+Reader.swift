import FeedModel
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension CacheFile {
    /// Reads a cache file record by record, with a single record in memory at a time.
    struct Reader: ~Copyable {
        /// The most bytes that the first read takes: all of a short file.
        private static let windowByteLimit = 64 << 10

        private let file: CInt
        private let status: stat
        private let header: String
        /// The first bytes of the file, once the header was read.
        private var window: [UInt8] = []
        /// The offset of the next record; 0: the header was not read.
        private var offset = 0

        /// Opens a file without reading it; `nil`: it does not exist, or cannot be opened.
        ///
        /// - Parameter header: The expected first line; a file with another one has no records.
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

        /// The file's length in bytes when it was opened.
        var byteCount: Int { Int(status.st_size) }

        /// The file's state when it was opened.
        var stamp: Stamp { Stamp(status) }

        /// The time at which the file was last written, or confirmed to be current.
        var date: Date { status.modified }

        /// Whether the whole file was read and all its records are complete.
        var isWhole: Bool { offset > 0 && offset == byteCount }

        /// Returns the next record's document, and the result of all records so far; `nil` at the
        /// end, or if the next record is damaged.
        mutating func next() -> (document: [UInt8], end: End)? {
            guard offset > 0 || readHeader(),
                let line = RecordLine(
                    in: bytes(min(RecordLine.byteLimit, byteCount - offset), at: offset)[...]
                )
            else { return nil }
            let start = offset + line.length
            guard byteCount - start > line.byteCount else { return nil }
            let document = bytes(line.byteCount, at: start)
            guard document.count == line.byteCount, CRC32(document[...]).value == line.check
            else { return nil }
            offset = start + line.byteCount + 1
            return (document, line.end)
        }

        /// Reads the first bytes of the file; `false`: the first line is not the expected one.
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

        /// Reads a number of bytes; fewer only at the end of the file, or after an error.
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
