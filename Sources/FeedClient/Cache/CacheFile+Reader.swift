import FeedModel
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension CacheFile {
    /// Reads a file record by record, so that no more than one of them is held.
    struct Reader: ~Copyable {
        /// A file that is no longer is read in one go.
        private static let windowByteLimit = 64 << 10

        private let file: CInt
        private let status: stat
        private let header: String
        /// The bytes at the beginning of the file.
        private var window: [UInt8] = []
        private var offset = 0

        /// Opens a file, and reads nothing of it yet; `nil` where it is not there.
        ///
        /// - Parameters:
        ///   - path: Where it is.
        ///   - header: The line that the file has to begin with; otherwise it has no records.
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

        /// The file as it was when it was opened.
        var stamp: Stamp { Stamp(status) }

        /// When the file was last written, or confirmed.
        var date: Date { status.modified }

        /// Whether all that was read is whole records, and nothing else is left.
        var isWhole: Bool { offset > 0 && offset == byteCount }

        /// The next record's document, and what all up to it come to; `nil` at the end, or where
        /// the rest is torn.
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

        /// Reads bytes, fewer only at the end of the file.
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
