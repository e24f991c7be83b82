/// The media type of a file and the rules for caching and compressing it, all derived from its
/// name.
struct FileType: Equatable {
    /// The media type, with the charset UTF-8 for texts.
    let mediaType: String
    /// Whether the content is worth compressing.
    let isCompressible: Bool
    /// Whether the name contains a hash of the content.
    let isNamedByContent: Bool

    /// Makes the type of a file from its name; `application/octet-stream` for an unknown extension.
    init(name: String) {
        isNamedByContent = FileType.isNamedByContent(name)
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        if let text = FileType.texts[ending] {
            (mediaType, isCompressible) = (text + "; charset=utf-8", true)
        } else if let data = FileType.compressibleData[ending] {
            (mediaType, isCompressible) = (data, true)
        } else {
            mediaType = FileType.compressedData[ending] ?? "application/octet-stream"
            isCompressible = false
        }
    }

    /// Whether the file is a document that a browser shows as a page.
    var isDocument: Bool {
        mediaType.hasPrefix("text/html") || mediaType == "application/xhtml+xml"
    }

    /// The file's Cache-Control value.
    ///
    /// A cache may keep a file for a year without asking (`immutable`, RFC 8246) if the file's name
    /// changes with its content. It must revalidate every other file and every page, which is
    /// cheap.
    var cacheControl: String {
        isNamedByContent && !isDocument ? FileType.immutable : "no-cache"
    }

    /// The Cache-Control value for a URL whose content never changes.
    static let immutable = "public, max-age=31536000, immutable"

    /// Returns whether a name contains a hash of the content, as bundlers write it:
    /// `name.3f9ab2c1.js`, `name-3f9ab2c1.css`.
    ///
    /// A hash is 8 to 64 lower-case hexadecimal digits between a `.` or `-` and the extension. A
    /// hash has a letter and a decimal digit, so a word or a date does not count as one.
    private static func isNamedByContent(_ name: String) -> Bool {
        guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let stem = name.utf8[..<point]
        guard
            let mark = stem.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else { return false }
        let hash = stem[stem.index(after: mark)...]
        let letters = hash.count { UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
        let digits = hash.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return 8...64 ~= hash.count && letters > 0 && digits > 0 && letters + digits == hash.count
    }

    private static let texts = [
        "css": "text/css",
        "csv": "text/csv",
        "htm": "text/html",
        "html": "text/html",
        "ics": "text/calendar",
        "js": "text/javascript",
        "md": "text/markdown",
        "mjs": "text/javascript",
        "txt": "text/plain",
        "vtt": "text/vtt",
    ]

    /// Extensions of texts that declare their own encoding, and of binary formats that are worth
    /// compressing.
    private static let compressibleData = [
        "atom": "application/atom+xml",
        "bmp": "image/bmp",
        "geojson": "application/geo+json",
        "ico": "image/x-icon",
        "json": "application/json",
        "jsonld": "application/ld+json",
        "map": "application/json",
        "otf": "font/otf",
        "rss": "application/rss+xml",
        "svg": "image/svg+xml",
        "ttf": "font/ttf",
        "wasm": "application/wasm",
        "webmanifest": "application/manifest+json",
        "xhtml": "application/xhtml+xml",
        "xml": "application/xml",
    ]

    /// Extensions of formats that are already compressed.
    private static let compressedData = [
        "aac": "audio/aac",
        "apng": "image/apng",
        "avif": "image/avif",
        "br": "application/x-brotli",
        "flac": "audio/flac",
        "gif": "image/gif",
        "gz": "application/gzip",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "jxl": "image/jxl",
        "m4a": "audio/mp4",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4",
        "oga": "audio/ogg",
        "ogg": "audio/ogg",
        "ogv": "video/ogg",
        "opus": "audio/ogg",
        "pdf": "application/pdf",
        "png": "image/png",
        "wav": "audio/wav",
        "weba": "audio/webm",
        "webm": "video/webm",
        "webp": "image/webp",
        "woff": "font/woff",
        "woff2": "font/woff2",
        "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
