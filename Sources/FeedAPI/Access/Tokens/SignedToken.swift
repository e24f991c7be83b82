import FeedModel

/// A token that was signed elsewhere: a JWT (RFC 7519) in the compact form of a JWS (RFC 7515).
///
/// Only the token's `kid` decides how it is verified, because it names a key of the configuration:
/// keys and addresses in the token (`jwk`, `jku`, `x5u` …) are ignored.
struct SignedToken: Sendable {
    /// The key that signed the token.
    private(set) var signer: SigningKey
    /// The end of the token's validity, its leeway included, in seconds since 1970.
    let end: Double
    /// The start of the token's validity, its leeway included, in seconds since 1970.
    let start: Double
    /// The subject (`sub`), whose rights these are; `nil` if the token names none.
    let subject: String?
    let rights: FeedRights

    /// The most bytes of a token.
    static let byteLimit = 8 << 10
    /// The longest validity of a token, in seconds.
    static let longestLife = 86_400.0
    /// The time, in seconds, by which the clocks of signer and server may differ (RFC 7519 §4.1.4).
    static let leeway = 5.0

    /// The reason why a token is refused whose signature was checked and is wrong.
    static let wrongSignature = "the token's signature is not right"

    /// Reads and verifies a token.
    ///
    /// - Throws: `401` with the reason, which the sender cannot use to forge a token; times are not
    ///   checked here, but by ``check(at:)``.
    init(_ text: ArraySlice<UInt8>, signers: [String: SigningKey]) throws(Problem) {
        guard text.count <= SignedToken.byteLimit else {
            throw .invalidToken("the token is longer than \(SignedToken.byteLimit) bytes")
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = [UInt8](base64URL: parts[2]) else {
            throw .invalidToken("the token is not three parts of base64url")
        }
        signer = try SignedToken.signer(try SignedToken.object(parts[0], "header"), signers)
        let signed = Array(text[..<parts[1].endIndex])
        guard signer.hasSigned(signed, signature) else {
            throw .invalidToken(SignedToken.wrongSignature)
        }
        let claims = try SignedToken.object(parts[1], "claims")
        guard let expires = try SignedToken.time("exp", in: claims) else {
            throw .invalidToken("the token has no \"exp\"")
        }
        end = expires + SignedToken.leeway
        start = try SignedToken.time("nbf", in: claims).map { $0 - SignedToken.leeway } ?? 0
        if claims["aud"] != nil {
            throw .invalidToken("the token's \"aud\" does not name this server")
        }
        subject = try SignedToken.text("sub", in: claims)
        guard case .object(let feeds)? = claims["feeds"] else {
            throw .invalidToken("the token has no object \"feeds\"")
        }
        rights = FeedRights(
            read: try SignedToken.patterns("read", in: feeds),
            write: try SignedToken.patterns("write", in: feeds),
            follow: try SignedToken.patterns("follow", in: feeds)
        )
    }

    /// Returns the token with another `signer`: the same key by a newer configuration, with perhaps
    /// other rights.
    func signed(by signer: SigningKey) -> SignedToken {
        var token = self
        token.signer = signer
        return token
    }

    /// Refuses a token that is not valid at a time in seconds since 1970.
    func check(at now: Double) throws(Problem) {
        guard now < end else { throw .invalidToken("the token has expired") }
        guard now >= start else { throw .invalidToken("the token does not count yet") }
        guard end - 2 * SignedToken.leeway <= now + SignedToken.longestLife else {
            throw .invalidToken("the token's \"exp\" is more than 24 hours ahead")
        }
    }
}

extension SignedToken {
    private typealias Members = [ExactString: JSONValue]

    private static func object(
        _ part: ArraySlice<UInt8>,
        _ name: String
    ) throws(Problem) -> Members {
        guard let bytes = [UInt8](base64URL: part), let value = try? JSONValue(parsing: bytes),
            case .object(let entries) = value
        else { throw .invalidToken("the token's \(name) are no object in base64url") }
        return Members(entries.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Returns the key that a header names; the token's algorithm must be the key's.
    private static func signer(
        _ header: Members,
        _ signers: [String: SigningKey]
    ) throws(Problem) -> SigningKey {
        guard header["crit"] == nil else {
            throw .invalidToken("the token asks for something critical that is not known here")
        }
        guard let kid = try text("kid", in: header), let signer = signers[kid] else {
            throw .invalidToken("the token's \"kid\" names no key that is known here")
        }
        guard let name = try text("alg", in: header),
            SigningKey.Algorithm(name: name) == signer.algorithm
        else {
            throw .invalidToken("the token's \"alg\" is not that of its key")
        }
        return signer
    }

    private static func text(_ name: ExactString, in members: Members) throws(Problem) -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value else {
            throw .invalidToken("the token's \"\(name)\" is no string")
        }
        return text.string
    }

    /// Returns a time in seconds since 1970 (RFC 7519 §2, NumericDate): any number of JSON from 0
    /// to 10^12.
    private static func time(_ name: ExactString, in members: Members) throws(Problem) -> Double? {
        guard let value = members[name] else { return nil }
        guard case .number(let text) = value, let time = Double(text), 0...1e12 ~= time else {
            throw .invalidToken("the token's \"\(name)\" is no time in seconds")
        }
        return time
    }

    private static func patterns(
        _ name: ExactString,
        in feeds: [JSONValue.Entry]
    ) throws(Problem) -> [FeedPattern] {
        guard let value = feeds.first(where: { $0.name == name })?.value else { return [] }
        let refusal = Problem.invalidToken("the token's \"feeds.\(name)\" is no array of feeds")
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
