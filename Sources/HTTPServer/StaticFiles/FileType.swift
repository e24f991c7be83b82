/// The type of a file, derived from the extension of its name.
struct FileType: Equatable {
    /// The media type, with the charset UTF-8 for texts.
    var mediaType: String
    /// Whether the content is worth compressing.
    var isCompressible: Bool

    /// Makes the type of a file from its name; `application/octet-stream` for an unknown extension.
    init(name: String) {
        let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        if let text = FileType.texts[ending] {
            self.init(mediaType: text + "; charset=utf-8", isCompressible: true)
        } else if let data = FileType.compressibleData[ending] {
            self.init(mediaType: data, isCompressible: true)
        } else {
            let mediaType = FileType.compressedData[ending] ?? "application/octet-stream"
            self.init(mediaType: mediaType, isCompressible: false)
        }
    }

    private init(mediaType: String, isCompressible: Bool) {
        self.mediaType = mediaType
        self.isCompressible = isCompressible
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
