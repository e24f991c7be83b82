import HTTPTypes

/// The header fields of responses with files, other than the validators.
enum FileFields {
    /// Returns the fields for a response with a file's content.
    ///
    /// - Parameters:
    ///   - name: The last segment of the file's path.
    ///   - type: The file's type.
    /// - Returns: The fields, without the validators.
    static func content(name: String, _ type: FileType) -> HTTPFields {
        var fields = common
        fields[.contentType] = type.mediaType
        if isDocument(type) {
            fields[.crossOriginOpenerPolicy] = "same-origin"
            fields[.permissionsPolicy] =
                "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        }
        return fields
    }

    /// Returns a file's Cache-Control value.
    ///
    /// A cache may keep a file forever if its name changes with its content. It must revalidate any
    /// other, which is cheap.
    static func cacheControl(name: String, _ type: FileType) -> String {
        !isDocument(type) && isNamedByContent(name)
            ? immutable : "no-cache"
    }

    /// The Cache-Control value for a URL whose content never changes.
    static let immutable = "public, max-age=31536000, immutable"

    /// Returns whether a file is a document that a browser shows as a page.
    static func isDocument(_ type: FileType) -> Bool {
        type.mediaType.hasPrefix("text/html") || type.mediaType == "application/xhtml+xml"
    }

    /// Returns whether a name contains a hash of the content, as bundlers write it:
    /// `name.3f9ab2c1.js`, `name-3f9ab2c1.css`.
    ///
    /// A hash is 8 to 64 lower-case hexadecimal digits between a `.` or `-` and the extension. It
    /// must have a letter and a decimal digit, so that a word or a date does not count as one.
    static func isNamedByContent(_ name: String) -> Bool {
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

    /// The fields of all files.
    ///
    /// The policy is sent with every file: a script may become a worker and an SVG picture a
    /// document, and each obeys the policy that came with it.
    private static let common: HTTPFields = [
        .contentSecurityPolicy: contentSecurityPolicy,
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "same-origin",
        .crossOriginResourcePolicy: "same-origin",
    ]

    /// The policy: only the server's own files and responses, no inline script or style, no frame
    /// around a page.
    private static let contentSecurityPolicy = """
        default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
        form-action 'self'; frame-ancestors 'none'
        """
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    fileprivate static let permissionsPolicy = known("Permissions-Policy")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is no field's name")
        }
        return name
    }
}
