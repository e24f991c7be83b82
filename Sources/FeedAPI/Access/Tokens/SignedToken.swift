import FeedModel

/// A token that was signed elsewhere: a JWT (RFC 7519) in the compact form of a JWS (RFC 7515).
///
/// Nothing in it decides how it is verified but its `kid`, which names a key of the configuration:
/// keys and addresses that it brings along (`jwk`, `jku`, `x5u` …) are passed over.
struct SignedToken: Sendable {
    /// Who signed it.
    private(set) var signer: SigningKey
    /// The first second in which it counts no more, since 1970.
    let expires: Int
    /// The first second in which it counts.
    let begins: Int
    /// Whose rights these are, if it says so.
    let subject: String?
    let read: [FeedPattern]
    let write: [FeedPattern]
    let follow: [FeedPattern]

    /// The most bytes of a token.
    static let byteLimit = 8 << 10
    /// For how many seconds a token may count at most.
    static let longestLife = 86_400

    /// Why a token is not taken; told to its sender, who cannot make another one of it.
    struct Refusal: Error {
        let reason: String
        /// Whether a signature was checked in vain.
        var isOfSignature = false
    }

    /// Reads and verifies a token.
    ///
    /// - Parameters:
    ///   - text: As it was sent.
    ///   - signers: The keys of the configuration by their names.
    /// - Throws: Whatever is wrong with it but its times, which ``check(at:)`` looks at.
    init(_ text: ArraySlice<UInt8>, signers: [String: SigningKey]) throws(Refusal) {
        guard text.count <= SignedToken.byteLimit else {
            throw Refusal(reason: "the token is longer than \(SignedToken.byteLimit) bytes")
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else {
            throw Refusal(reason: "the token is not three parts of base64url")
        }
        signer = try SignedToken.signer(try SignedToken.object(parts[0], "header"), signers)
        let signed = Array(text[..<parts[1].endIndex])
        guard signer.hasSigned(signed, signature) else {
            throw Refusal(reason: "the token's signature is not right", isOfSignature: true)
        }
        let claims = try SignedToken.object(parts[1], "claims")
        guard let expires = try SignedToken.time("exp", in: claims) else {
            throw Refusal(reason: "the token has no \"exp\"")
        }
        self.expires = expires
        begins = try SignedToken.time("nbf", in: claims) ?? 0
        if claims["aud"] != nil {
            throw Refusal(reason: "the token's \"aud\" does not name this server")
        }
        subject = try SignedToken.text("sub", in: claims)
        guard case .object(let feeds)? = claims["feeds"] else {
            throw Refusal(reason: "the token has no object \"feeds\"")
        }
        read = try SignedToken.patterns("read", in: feeds)
        write = try SignedToken.patterns("write", in: feeds)
        follow = try SignedToken.patterns("follow", in: feeds)
    }

    /// The same token, where its signer may do something else by now.
    func signed(by signer: SigningKey) -> SignedToken {
        var token = self
        token.signer = signer
        return token
    }

    /// Refuses a token that does not count now.
    ///
    /// - Parameter now: Seconds since 1970.
    func check(at now: Double) throws(Refusal) {
        guard now < Double(expires) else { throw Refusal(reason: "the token has expired") }
        guard now >= Double(begins) else { throw Refusal(reason: "the token does not count yet") }
        guard Double(expires) <= now + Double(SignedToken.longestLife) else {
            throw Refusal(reason: "the token's \"exp\" is more than 24 hours ahead")
        }
    }
}

extension SignedToken {
    private typealias Members = [ExactString: JSONValue]

    private static func object(
        _ part: ArraySlice<UInt8>,
        _ name: String
    ) throws(Refusal) -> Members {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes),
            case .object(let entries) = value
        else { throw Refusal(reason: "the token's \(name) are no object in base64url") }
        return Members(entries.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The key that a header names; its algorithm must be the one that the key has.
    private static func signer(
        _ header: Members,
        _ signers: [String: SigningKey]
    ) throws(Refusal) -> SigningKey {
        guard header["crit"] == nil else {
            throw Refusal(reason: "the token asks for something critical that is not known here")
        }
        guard let kid = try text("kid", in: header), let signer = signers[kid] else {
            throw Refusal(reason: "the token's \"kid\" names no key that is known here")
        }
        guard try text("alg", in: header) == signer.algorithm.rawValue else {
            throw Refusal(reason: "the token's \"alg\" is not that of its key")
        }
        return signer
    }

    private static func text(_ name: ExactString, in members: Members) throws(Refusal) -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value else {
            throw Refusal(reason: "the token's \"\(name)\" is no string")
        }
        return text.string
    }

    /// A time in seconds since 1970 (RFC 7519 §2, NumericDate), which may have a fraction.
    ///
    /// - Returns: The whole seconds before it; after it for the beginning, so that a token never
    ///   counts longer than it says.
    private static func time(_ name: ExactString, in members: Members) throws(Refusal) -> Int? {
        guard let value = members[name] else { return nil }
        guard case .number(let text) = value else { throw noTime(name) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isDecimal = parts.allSatisfy { part in
            1...20 ~= part.utf8.count && part.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        }
        guard isDecimal, parts.count <= 2, parts[0].utf8.count <= 12, let time = Int(parts[0])
        else { throw noTime(name) }
        let hasFraction = parts.count == 2 && parts[1].contains { $0 != "0" }
        return name == "nbf" && hasFraction ? time + 1 : time
    }

    private static func noTime(_ name: ExactString) -> Refusal {
        Refusal(reason: "the token's \"\(name)\" is no time in seconds, written with digits")
    }

    private static func patterns(
        _ name: ExactString,
        in feeds: [JSONValue.Entry]
    ) throws(Refusal) -> [FeedPattern] {
        guard let value = feeds.first(where: { $0.name == name })?.value else { return [] }
        let refusal = Refusal(reason: "the token's \"feeds.\(name)\" is no array of feeds")
        guard case .array(let list) = value else { throw refusal }
        var patterns: [FeedPattern] = []
        for element in list {
            guard case .string(let text) = element, let pattern = FeedPattern(text.string) else {
                throw refusal
            }
            patterns.append(pattern)
        }
        return patterns
    }
}
