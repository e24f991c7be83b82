/// Media types by file extension, for documents that do not name them.
enum MediaType {
    private static let byEnd: [Substring: String] = [
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
        "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
        "flac": "audio/flac", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm",
        "ogv": "video/ogg", "mov": "video/quicktime", "avi": "video/x-msvideo",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
        "webp": "image/webp", "avif": "image/avif", "svg": "image/svg+xml",
        "pdf": "application/pdf",
        "epub": "application/epub+zip", "zip": "application/zip",
        "torrent": "application/x-bittorrent", "vtt": "text/vtt", "srt": "application/x-subrip",
    ]

    /// Returns the media type of an address by the file extension of its path; `nil`: it is not
    /// known.
    static func named(_ address: String) -> String? {
        guard let name = WebAddress.parts(address).dropFirst(2).last,
            let dot = name.lastIndex(of: ".")
        else { return nil }
        return byEnd[name[name.index(after: dot)...].lowercased()[...]]
    }

    /// Returns the address of the first picture among some files.
    static func image(among files: [SourceAttachment]) -> String? {
        files.first { $0.type?.lowercased().hasPrefix("image/") ?? false }?.url
    }
}
