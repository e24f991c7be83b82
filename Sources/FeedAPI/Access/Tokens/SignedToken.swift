import FeedModel

/// A token that was signed elsewhere: a JWT (RFC 7519) in the compact form of a JWS (RFC 7515).
///
/// Nothing in it decides how it is verified but its `kid`, which names a key of the configuration:
/// keys and addresses that it brings along (`jwk`, `jku`, `x5u` …) are passed over.
struct SignedToken: Sendable {
    /// Who signed it.
    private(set) var signer: SigningKey
    /// The time from which the token counts no more, its leeway included, in seconds since 1970.
    let end: Double
    /// The time from which the token counts, its leeway included, in seconds since 1970.
    let start: Double
    /// Whose rights these are, if it says so.
    let subject: String?
    let read: [FeedPattern]
    let write: [FeedPattern]
    let follow: [FeedPattern]

    /// The most bytes of a token.
    static let byteLimit = 8 << 10
    /// The longest time, in seconds, for which a token may count.
    static let longestLife = 86_400.0
    /// The time, in seconds, by which the clocks of signer and server may differ (RFC 7519 §4.1.4).
    static let leeway = 5.0

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
        end = expires + SignedToken.leeway
        start = try SignedToken.time("nbf", in: claims).map { $0 - SignedToken.leeway } ?? 0
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

    /// Returns the token with `signer` as its signer, whose rights may have changed since.
    func signed(by signer: SigningKey) -> SignedToken {
        var token = self
        token.signer = signer
        return token
    }

    /// Refuses a token that does not count now.
    ///
    /// - Parameter now: Seconds since 1970.
    func check(at now: Double) throws(Refusal) {
        guard now < end else { throw Refusal(reason: "the token has expired") }
        guard now >= start else { throw Refusal(reason: "the token does not count yet") }
        guard end - 2 * SignedToken.leeway <= now + SignedToken.longestLife else {
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
        guard let name = try text("alg", in: header),
            SigningKey.Algorithm(name: name) == signer.algorithm
        else {
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

    /// Returns a time in seconds since 1970 (RFC 7519 §2, NumericDate): any number of JSON from 0
    /// to 10^12.
    private static func time(_ name: ExactString, in members: Members) throws(Refusal) -> Double? {
        guard let value = members[name] else { return nil }
        guard case .number(let text) = value, let time = Double(text), 0...1e12 ~= time else {
            throw Refusal(reason: "the token's \"\(name)\" is no time in seconds")
        }
        return time
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
