import COpenSSL
import HTTPWire

/// A release of the web client: a version, and the digest of each file in the folder, as
/// `release.js` lists them.
///
/// Pages are served with links below a folder that is named by the release: `@3f9ab2c1d4e5/ui.css`.
/// The content of such a URL never changes, so a browser that has it does not ask again. No such
/// folder exists on the disk: the server inserts its name into the links of the pages that it
/// sends.
struct FileRelease: Equatable {
    /// The name of the release: 12 hexadecimal digits.
    let version: String

    /// The SHA-256 digests of the files in base64, by the path in the folder.
    private let digests: [String: String]

    /// Reads the list that `scripts/release-files.mjs` writes: a line with the version, then a line
    /// for each file; `nil` if it has no version or no file.
    init?(list: [UInt8]) {
        var version = ""
        var digests: [String: String] = [:]
        for line in list.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            if parts.count == 3, parts[0].drop(while: { $0 == " " }) == "version: " {
                version = parts[1]
            } else if parts.count == 5, parts[2] == ": " {
                digests[parts[1]] = parts[3]
            }
        }
        guard FileRelease.isVersion(version), !digests.isEmpty else { return nil }
        self.version = version
        self.digests = digests
    }

    /// Returns the version that a path's first segment names (`@` and the version); `nil` for any
    /// other segment.
    static func version(of segment: String?) -> String? {
        guard let segment, segment.utf8.first == UInt8(ascii: "@") else { return nil }
        let version = String(segment.dropFirst())
        return isVersion(version) ? version : nil
    }

    private static func isVersion(_ text: String) -> Bool {
        text.utf8.count == 12
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }

    /// Returns whether a content is the release's content of the file at a path.
    ///
    /// While a release is being copied, some files are still those of the release before.
    func has(_ content: [UInt8], at path: String) -> Bool {
        digests[path] == FileRelease.base64(FileRelease.digest(of: content))
    }

    /// Returns a page with its links changed to name the release.
    func page(_ html: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var page: [UInt8] = []
        page.reserveCapacity(html.count + 2000)
        var isAddress = false
        for part in html.split(separator: quote, omittingEmptySubsequences: false) {
            if part.startIndex > 0 { page.append(quote) }
            if isAddress, isNamed(String(decoding: part, as: UTF8.self)) {
                page += Array("@\(version)/".utf8)
            }
            page += part
            isAddress = part.hasSuffix(" href=") || part.hasSuffix(" src=")
        }
        return page
    }

    /// Returns whether links to a file are changed: to a script, a style sheet or an image of the
    /// release, which only pages link to.
    private func isNamed(_ path: String) -> Bool {
        guard digests[path] != nil else { return false }
        let type = FileType(name: path).mediaType
        return ["text/javascript", "text/css", "image/"].contains { type.hasPrefix($0) }
    }
}

/// Computes digests.
extension FileRelease {
    /// Returns the SHA-256 digest of a content.
    static func digest(of content: [UInt8]) -> InlineArray<32, UInt8> {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var output = digest.mutableSpan
        output.withUnsafeMutableBufferPointer { output in
            freshet_sha256(content, content.count, output.baseAddress)
        }
        return digest
    }

    /// Returns the entity tag of content that differs from the file's, such as a page with changed
    /// links: 128 bits of its digest.
    static func tag(of content: [UInt8]) -> EntityTag {
        let bytes = digest(of: content).span.bytes
        return EntityTag(
            hash: bytes.unsafeLoadUnaligned(as: UInt64.self),
            bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
    }

    private static func base64(_ digest: InlineArray<32, UInt8>) -> String {
        // EVP_EncodeBlock writes a NUL after the text.
        let text = [UInt8](unsafeUninitializedCapacity: 48) { buffer, count in
            digest.span.withUnsafeBufferPointer { digest in
                count = Int(EVP_EncodeBlock(buffer.baseAddress, digest.baseAddress, 32))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { suffix(text.utf8CodeUnitCount).elementsEqual($0) }
    }
}
