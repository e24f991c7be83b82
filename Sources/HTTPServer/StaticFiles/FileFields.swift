import HTTPTypes

/// What the answers with files say beside their validators.
enum FileFields {
    /// Of a file of that name and type.
    ///
    /// - Parameters:
    ///   - name: The last segment of its path.
    ///   - type: What it is.
    /// - Returns: Fields for an answer with its content.
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

    /// How long a cache may use a file without asking: for good where the name changes with the
    /// content, else not at all; asking is cheap.
    static func cacheControl(name: String, _ type: FileType) -> String {
        !isDocument(type) && isNamedByContent(name)
            ? "public, max-age=31536000, immutable" : "no-cache"
    }

    private static func isDocument(_ type: FileType) -> Bool {
        type.mediaType.hasPrefix("text/html") || type.mediaType == "application/xhtml+xml"
    }

    /// Whether a name holds a hash of the content, as bundlers write it: `name.3f9ab2c1.js`,
    /// `name-3f9ab2c1.css`.
    ///
    /// That is 8 to 64 hexadecimal digits in lower case between a `.` or `-` and the ending, a
    /// letter and a decimal digit among them: a word or a date is none.
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

    /// The policy is sent with every file: a script may become a worker, and a picture in SVG a
    /// document, each with the policy that came with it.
    private static let common: HTTPFields = [
        .contentSecurityPolicy: contentSecurityPolicy,
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "same-origin",
        .crossOriginResourcePolicy: "same-origin",
    ]

    /// Nothing but the server's own files and answers; no script or style inside a page, and no
    /// frame around it.
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
