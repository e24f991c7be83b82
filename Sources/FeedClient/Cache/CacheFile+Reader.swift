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
        private let file: CInt
        private var offset: Int

        /// The file's length in bytes.
        let byteCount: Int

        /// When the file was last written, or confirmed.
        let date: Date

        /// Opens a file; `nil` where it is not there, or its header is another.
        init?(_ url: URL, header: String) {
            let file = open(url.path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            var status = stat()
            guard fstat(file, &status) == 0,
                Reader.read(header.utf8.count, of: file, at: 0).elementsEqual(header.utf8)
            else {
                _ = close(file)
                return nil
            }
            self.file = file
            byteCount = Int(status.st_size)
            offset = header.utf8.count
            date = status.modified
        }

        deinit { _ = close(file) }

        /// Whether all that was read is whole records, and nothing else is left.
        var isWhole: Bool { offset == byteCount }

        /// The next record's document, and the version after it; `nil` at the end, or where the rest is
        /// torn.
        mutating func next() -> (document: [UInt8], token: Token)? {
            let head = Reader.read(min(100, byteCount - offset), of: file, at: offset)
            guard let end = head.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let words = String(decoding: head[..<end], as: UTF8.self).split(separator: " ")
            guard words.count == 3, let count = Int(words[0]),
                let check = UInt32(words[1], radix: 16),
                let token = Token(words[2]), count >= 0, byteCount - offset - end - 1 > count
            else { return nil }
            let document = Reader.read(count, of: file, at: offset + end + 1)
            guard document.count == count, CRC32(document[...]).value == check else { return nil }
            offset += end + 1 + count + 1
            return (document, token)
        }

        /// Reads bytes, fewer only at the end of the file.
        private static func read(_ count: Int, of file: CInt, at offset: Int) -> [UInt8] {
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

extension CacheFile {
    /// A file's length in bytes; 0 where it is not there..
    static func byteCount(of url: URL) -> Int {
        var status = stat()
        return stat(url.path, &status) == 0 ? Int(status.st_size) : 0
    }
}

extension stat {
    fileprivate var modified: Date {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return Date(
            timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        )
    }
}
