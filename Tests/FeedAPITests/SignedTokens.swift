import FeedModel
import FeedStore
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Who may do what": signed tokens, and every way by which others were fooled.
@Suite(.bothWays) struct SignedTokens {
    private static func api(
        _ keys: [SigningKey],
        at now: Double = Double(TokenMaker.now)
    ) -> API {
        API {
            $0.openFeeds = []
            $0.signingKeys = keys
            $0.wall = { now }
        }
    }

    private static func status(_ token: String, _ keys: [SigningKey]? = nil) async throws -> Int {
        let api = api(try keys ?? [TokenMaker.key()])
        try await api.put("news", sampleFeed)
        let headers = ["Authorization": "Bearer " + token]
        let first = try await api.get("/feeds/news", headers)
        let second = try await api.get("/feeds/news", headers)
        #expect(first.status == second.status)
        if first.status == 401 {
            #expect(first["WWW-Authenticate"] != nil)
            #expect(first.problem == "key")
        }
        return first.status
    }

    @Test func rightsAreThoseOfTheTokenAndOfItsKey() async throws {
        let keys = [
            try TokenMaker.key(read: ["news"], write: ["wire-1", "x"], follow: ["sports-1"])
        ]
        let api = Self.api(keys)
        for feed in ["news", "wire-1", "wire-2", "sports-1", "sports-2", "x"] {
            try await api.put(feed, sampleFeed)
        }
        let headers = ["Authorization": "Bearer " + TokenMaker().signed()]
        for (feed, read, write) in [
            ("news", 200, 403), ("wire-1", 200, 200), ("wire-2", 404, 404),
            ("sports-1", 200, 403), ("sports-2", 404, 404), ("x", 404, 404),
        ] {
            #expect(try await api.get("/feeds/\(feed)", headers).status == read, "\(feed)")
            let answer = try await api.send("PUT", "/feeds/\(feed)", sampleFeed, headers)
            #expect(answer.status == write, "\(feed)")
        }
        let list = try await api.get("/feeds", headers)
        #expect(
            list.json["feeds"]?.list.map { $0["id"]?.string } == ["news", "sports-1", "wire-1"]
        )
    }

    /// What a header says of algorithm and key is not believed.
    @Test(arguments: [
        #"{"alg":"none","kid":"app-1"}"#, #"{"alg":"None","kid":"app-1"}"#,
        #"{"alg":"NONE","kid":"app-1"}"#, #"{"alg":"nOnE","kid":"app-1"}"#,
        #"{"alg":"","kid":"app-1"}"#, #"{"kid":"app-1"}"#, #"{"alg":"hs256","kid":"app-1"}"#,
        #"{"alg":"HS384","kid":"app-1"}"#, #"{"alg":"HS512","kid":"app-1"}"#,
        #"{"alg":"RS256","kid":"app-1"}"#, #"{"alg":"ES256","kid":"app-1"}"#,
        #"{"alg":"EdDSA","kid":"app-1"}"#, #"{"alg":["HS256"],"kid":"app-1"}"#,
        #"{"alg":null,"kid":"app-1"}"#, #"{"alg":true,"kid":"app-1"}"#, #"{"alg":"HS256"}"#,
        #"{"alg":"HS256","kid":""}"#, #"{"alg":"HS256","kid":"APP-1"}"#,
        #"{"alg":"HS256","kid":"app-1 "}"#, #"{"alg":"HS256","kid":"../../etc/passwd"}"#,
        #"{"alg":"HS256","kid":"/dev/null"}"#, #"{"alg":"HS256","kid":"app-1\\u0000"}"#,
        #"{"alg":"HS256","kid":"' OR '1'='1"}"#, #"{"alg":"HS256","kid":"x' UNION SELECT 'k"}"#,
        #"{"alg":"HS256","kid":"app-2"}"#, #"{"alg":"HS256","kid":["app-1"]}"#,
        #"{"alg":"HS256","kid":1}"#, #"{"alg":"HS256","kid":null}"#,
        #"{"alg":"HS256","kid":"app-1","kid":"app-1"}"#,
        #"{"alg":"HS256","alg":"none","kid":"app-1"}"#,
        #"{"alg":"none","alg":"HS256","kid":"app-1"}"#,
        #"{"alg":"HS256","kid":"app-1","crit":["exp"]}"#,
        #"{"alg":"HS256","kid":"app-1","crit":[]}"#,
        #"{"alg":"HS256","kid":"app-1","crit":["b64"],"b64":false}"#,
        "[]", "null", "", "{", #"{"alg":"HS256","kid":"app-1"}x"#,
        "\u{feff}{\"alg\":\"HS256\",\"kid\":\"app-1\"}",
    ])
    func headersThatFoolNobody(_ header: String) async throws {
        var maker = TokenMaker()
        maker.header = header
        #expect(try await Self.status(maker.signed()) == 401)
        #expect(try await Self.status(maker.text + ".") == 401)
        #expect(try await Self.status(maker.signed([])) == 401)
    }

    /// Keys that a token brings along are not its keys.
    @Test(arguments: [
        #""jwk":{"kty":"oct","k":"YXR0YWNrZXIncyBvd24gc2VjcmV0LCAzMiBieXRlcyE"}"#,
        #""jku":"https://attacker.example/keys""#, #""x5u":"https://attacker.example/cert""#,
        #""x5c":["MIIB"]"#, #""x5t":"abc""#,
    ])
    func embeddedKeysCountForNothing(_ member: String) async throws {
        var maker = TokenMaker()
        maker.header = #"{"alg":"HS256","kid":"app-1",\#(member)}"#
        #expect(try await Self.status(maker.signed()) == 200)
        let attacker = [UInt8]("attacker's own secret, 32 bytes!".utf8)
        #expect(try await Self.status(maker.signed(attacker)) == 401)
    }

    @Test(arguments: [
        // The clock says 1767225600, and that of the signer may differ by five seconds.
        (#"{"exp":1767225601,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767225596,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767225595,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767225594,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767312005,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767312006,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200,"nbf":1767225605,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767229200,"nbf":1767225606,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200,"nbf":"0","feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200,"nbf":-1,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":"1767229200","feeds":{"read":["news"]}}"#, 401),
        // As languages write what has milliseconds.
        (#"{"exp":1767229200.5,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767225595.25,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767225594.75,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200,"nbf":1767225604.5,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767229200,"nbf":1767225605.5,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200.0000000000000000000001,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1.7672292e9,"nbf":1.7672256E+9,"feeds":{"read":["news"]}}"#, 200),
        (#"{"exp":1767229200.,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":99999999999999999999,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1e400,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":-1,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":null,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":true,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":[1767229200],"feeds":{"read":["news"]}}"#, 401),
        (#"{"feeds":{"read":["news"]}}"#, 401), (#"{"exp":1767229200}"#, 401),
        (#"{"exp":1767225599,"exp":1767229200,"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200,"feeds":{"read":["news"]},"feeds":{"read":["news"]}}"#, 401),
        (#"{"exp":1767229200,"feeds":{"read":"news"}}"#, 401),
        (#"{"exp":1767229200,"feeds":{"read":[1]}}"#, 401),
        (#"{"exp":1767229200,"feeds":{"read":["News"]}}"#, 401),
        (#"{"exp":1767229200,"feeds":["news"]}"#, 401),
        (#"{"exp":1767229200,"feeds":{"read":["news"]},"aud":"others"}"#, 401),
        (#"{"exp":1767229200,"sub":7,"feeds":{"read":["news"]}}"#, 401),
        (
            #"{"exp":1767229200,"sub":"u1","iat":1767225600,"iss":"app","feeds":{"read":["news"]}}"#,
            200
        ),
        (#"{"exp":1767229200,"feeds":{}}"#, 404),
        (#"{"exp":1767229200,"feeds":{"read":["x"]}}"#, 404),
        (#"{"exp":1767229200,"feeds":{"read":["*"]}}"#, 200), ("[]", 401), ("", 401),
        (#"{"exp":1767229200,"feeds":{"read":["news"]}} "#, 200),
        (#"{"exp":1767229200,"feeds":{"read":["news"]}}}"#, 401),
    ])
    func claimsAreHeldToTheirForm(_ claims: String, _ status: Int) async throws {
        var maker = TokenMaker()
        maker.claims = claims
        #expect(try await Self.status(maker.signed()) == status)
    }

    @Test(
        arguments: [
            { $0 + "=" }, { $0 + "." }, { $0 + ".x" }, { "." + $0 }, { String($0.dropLast()) },
            { $0 + "A" }, { $0.replacing(".", with: "..") }, { $0.replacing("-", with: "+") + "!" },
            { $0 + "%3D" }, { String($0.dropLast()) + "~" },
            { $0.split(separator: ".").dropLast().joined(separator: ".") },
            { $0.split(separator: ".").dropLast().joined(separator: ".") + "." },
            { String(repeating: "x", count: 9000) + $0 },
        ] as [@Sendable (String) -> String]
    )
    func formsThatAreNotTheOneAreRefused(_ change: @Sendable (String) -> String) async throws {
        #expect(try await Self.status(TokenMaker().signed()) == 200)
        #expect(try await Self.status(change(TokenMaker().signed())) == 401)
    }

    /// The last character of a part may have bits that stand for nothing.
    @Test func otherSpellingsOfTheSameBytesAreRefused() async throws {
        let token = TokenMaker().signed()
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(token.last)
        let value = try #require(digits.firstIndex(of: last))
        #expect(value % 4 == 0)
        for other in value + 1..<value + 4 {
            #expect(try await Self.status(token.dropLast() + String(digits[other])) == 401)
        }
    }

    @Test func whatWasNotSignedIsRefused() async throws {
        let token = TokenMaker().signed()
        var other = TokenMaker()
        other.claims = other.claims.replacing("1767229200", with: "1767229201")
        let signature = token.split(separator: ".")[2]
        #expect(try await Self.status(other.text + "." + signature) == 401)
        #expect(try await Self.status(TokenMaker().signed([UInt8](repeating: 0, count: 32))) == 401)
    }

    @Test func aShortSecretIsNone() {
        #expect(throws: SigningKey.Failure.shortSecret(byteCount: 31)) {
            try TokenMaker.key(file: [UInt8](repeating: 1, count: 31))
        }
        #expect(throws: SigningKey.Failure.noPublicKey) {
            try TokenMaker.key("k", .es256, file: TokenMaker.secret)
        }
        #expect(throws: SigningKey.Failure.otherKind) {
            try TokenMaker.key("k", .edDSA, file: Array(TokenKeys.p256.utf8))
        }
        #expect(throws: SigningKey.Failure.otherKind) {
            try TokenMaker.key("k", .es256, file: Array(TokenKeys.ed25519.utf8))
        }
    }

    /// A line end behind a secret is a part of it for some, and for others not.
    @Test(arguments: [[], [UInt8(ascii: "\n")]])
    func aLastLineEndMayBelongToTheSecret(_ end: [UInt8]) async throws {
        let key = try TokenMaker.key(file: TokenMaker.secret + [UInt8(ascii: "\n")])
        let token = TokenMaker().signed(TokenMaker.secret + end)
        #expect(try await Self.status(token, [key]) == 200)
    }

    @Test(arguments: [
        ("EdDSA", TokenKeys.ed25519, TokenKeys.ed25519Private),
        ("Ed25519", TokenKeys.ed25519, TokenKeys.ed25519Private),
        ("ES256", TokenKeys.p256, TokenKeys.p256Private),
    ])
    func publicKeysVerify(_ name: String, _ publicKey: String, _ privateKey: String) async throws {
        let algorithm = try #require(SigningKey.Algorithm(name: name))
        let file = Array(publicKey.utf8)
        let keys = [try TokenMaker.key("app-1", algorithm, file: file)]
        var maker = TokenMaker()
        maker.header = #"{"alg":"\#(name)","kid":"app-1"}"#
        let text = Array(maker.text.utf8)
        let signature = try #require(SigningKey.signature(text, Array(privateKey.utf8)))
        #expect(signature.algorithm == algorithm)
        func status(_ bytes: [UInt8]) async throws -> Int {
            try await Self.status(maker.text + "." + bytes.base64URL, keys)
        }
        #expect(try await status(signature.bytes) == 200)
        var bad = signature.bytes
        bad[5] ^= 1
        #expect(try await status(bad) == 401)
        // r and s of zero, of the wrong length, or in another form.
        #expect(try await status([UInt8](repeating: 0, count: 64)) == 401)
        #expect(try await status([UInt8](repeating: 0, count: 32) + signature.bytes[32...]) == 401)
        #expect(try await status(signature.bytes[..<32] + [UInt8](repeating: 0, count: 32)) == 401)
        #expect(try await status([UInt8](repeating: 255, count: 64)) == 401)
        #expect(try await status(Array(signature.bytes.dropLast())) == 401)
        #expect(try await status(signature.bytes + [0]) == 401)
        #expect(try await status([0] + signature.bytes) == 401)
        #expect(try await status([]) == 401)
        #expect(try await status(DER.sequence(signature.bytes)) == 401)
        // The public key, which everyone has, is nobody's secret.
        var confused = TokenMaker()
        for alg in ["HS256", name] {
            confused.header = #"{"alg":"\#(alg)","kid":"app-1"}"#
            #expect(try await Self.status(confused.signed(file), keys) == 401)
        }
        let other = TokenMaker().signed()
        #expect(try await Self.status(other, keys) == 401)
    }

    @Test func keysAndTokensGoSideBySide() async throws {
        let api = Self.api([
            try TokenMaker.key(), try TokenMaker.key("app-2", file: TokenMaker.secret + [1]),
        ])
        try await api.put("news", sampleFeed)
        for (key, status) in [
            (API.key, 200), (TokenMaker().signed(), 200), ("unknown", 401), ("a.b.c", 401),
        ] {
            let answer = try await api.get("/feeds/news", ["Authorization": "Bearer \(key)"])
            #expect(answer.status == status)
        }
    }

    /// Checking signatures costs much; what is known costs little, and goes on.
    @Test func onlySoManyTokensAreRefusedInASecond() async throws {
        let key = try TokenMaker.key()
        let clock = SharedTime(now: Double(TokenMaker.now))
        let api = API {
            $0.openFeeds = []
            $0.signingKeys = [key]
            $0.wall = { clock.now.withLock(\.self) }
        }
        try await api.put("news", sampleFeed)
        func status(_ token: String) async throws -> Int {
            try await api.get("/feeds/news", ["Authorization": "Bearer " + token]).status
        }
        let good = TokenMaker().signed()
        #expect(try await status(good) == 200)
        for number in 0..<TokenCache.refusedLimit {
            let forged = TokenMaker().text + "." + ([1, 2] as [UInt8]).base64URL
            #expect(try await status(forged) == 401)
            // What is told without the signature does not count.
            if number == 7 { #expect(try await status("a.b.c") == 401) }
        }
        let bad = TokenMaker().text + "." + ([3] as [UInt8]).base64URL
        #expect(try await status(bad) == 503)
        #expect(try await status(good) == 200)
        #expect(try await status(API.key) == 200)
        #expect(try await status("unknown") == 401)
        clock.now.withLock { $0 += 1 }
        #expect(try await status(bad) == 401)
    }

    @Test func manyClientsAreToldApartUpToALimit() {
        let tokens = TokenCache()
        for number in 0..<UInt64(TokenCache.clientLimit) {
            tokens.addRefused(.address(high: 0, low: number), at: 7)
        }
        let last = ClientID.address(high: 1, low: 0)
        for _ in 0..<TokenCache.refusedLimit {
            #expect(tokens.mayVerify(for: last, at: 7.5))
            tokens.addRefused(.address(high: 2, low: 0), at: 7.5)
        }
        #expect(!tokens.mayVerify(for: last, at: 7.9))
        #expect(tokens.mayVerify(for: .address(high: 0, low: 1), at: 7.9))
        #expect(tokens.mayVerify(for: last, at: 8))
    }

    @Test func usersOfOneSignerHaveTheirOwnIdempotencyKeys() async throws {
        let api = Self.api([try TokenMaker.key()])
        try await api.put("wire-1", #"{"items":[]}"#)
        func post(_ subject: String, _ exp: Int) async throws -> TestResponse {
            var maker = TokenMaker()
            maker.claims = #"{"exp":\#(exp),"sub":"\#(subject)","feeds":{"write":["wire-1"]}}"#
            return try await api.send(
                "POST",
                "/feeds/wire-1/items",
                #"{"id":"x"}"#,
                ["Authorization": "Bearer " + maker.signed(), "Idempotency-Key": "k"]
            )
        }
        #expect(try await post("u1", TokenMaker.now + 60).status == 201)
        #expect(try await post("u1", TokenMaker.now + 90).status == 201)
        #expect(try await post("u2", TokenMaker.now + 60).status == 409)
    }

    @Test func aLongPollEndsWithItsTokenAsAtItsEnd() async throws {
        let now = Mutex(Double(TokenMaker.now))
        let key = try TokenMaker.key()
        let api = API {
            $0.openFeeds = []
            $0.signingKeys = [key]
            // The token has a moment left when it is looked at, and none after that.
            $0.wall = {
                now.withLock { now in
                    defer { now = Double(TokenMaker.now) + 3604.95 }
                    return now
                }
            }
        }
        let token = try await api.put("news", sampleFeed)
        let headers = ["Authorization": "Bearer " + TokenMaker().signed()]
        let answer = try await api.get("/feeds/news?since=\(token)&wait=60", headers)
        #expect(answer.status == 200)
        #expect(answer.json["kind"] == "unchanged")
    }
}

/// What time it is for a server.
private final class SharedTime: Sendable {
    let now: Mutex<Double>

    init(now: Double) {
        self.now = Mutex(now)
    }
}
