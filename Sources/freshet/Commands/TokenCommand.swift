import ArgumentParser
import FeedAPI
import FeedModel
import Foundation

/// `freshet token`: signs a token, to try the rights of signing keys.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Sign a token, and print it.",
        discussion: """
            What it may do is what it says and what its key in the configuration may do, both. In \
            production the backend of an app signs tokens for its users.
            """
    )

    @Option(help: "The name of the key in the configuration.")
    var kid: String

    @Option(
        help: ArgumentHelp("The secret of the key (HS256).", valueName: "file"),
        completion: .file()
    )
    var secretFile: String?

    @Option(
        help: ArgumentHelp("The private key in PEM (EdDSA, ES256).", valueName: "file"),
        completion: .file()
    )
    var privateKey: String?

    @OptionGroup var rights: RightsOptions

    @Option(help: "Whose token it is.")
    var subject: String?

    @Option(help: "For how long it counts: at most 24h.")
    var expires = "1h"

    mutating func run() throws {
        // A token states its end in whole seconds.
        guard let life = DurationText.value(expires), life >= .seconds(1),
            life <= .seconds(86_400)
        else { throw CommandFailure.usage("--expires takes a time from 1s to 24h, such as 30m") }
        let rights = rights.list
        guard !rights.isEmpty else {
            throw CommandFailure.usage("a token without --read, --write or --follow may do nothing")
        }
        for feed in rights.flatMap(\.feeds) where FeedPattern(feed) == nil {
            throw CommandFailure.usage("\"\(feed)\" is no feed, and no pattern of them")
        }
        let end = Int(Date().timeIntervalSince1970) + Int(life.components.seconds)
        try StandardOutput.print(signed(claims(rights, until: end)))
    }

    private func claims(_ rights: RightsOptions.List, until end: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let subject { writer.member("sub", subject) }
        writer.member("exp", end)
        writer.beginObject("feeds")
        for (right, feeds) in rights {
            writer.name(right)
            writer.strings(feeds.map { ExactString($0) })
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    private func signed(_ claims: [UInt8]) throws(CommandFailure) -> String {
        func text(_ algorithm: SigningKey.Algorithm) -> String {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("alg", algorithm.rawValue)
            writer.member("typ", "JWT")
            writer.member("kid", kid)
            writer.endObject()
            return writer.finish().base64URL + "." + claims.base64URL
        }
        switch (secretFile, privateKey) {
        case (let path?, nil):
            let secret = try content(path)
            guard secret.count >= SigningKey.leastSecretByteCount else {
                throw .usage("\(path) has less than \(SigningKey.leastSecretByteCount) bytes")
            }
            let text = text(.hs256)
            guard let code = SigningKey.code(Array(text.utf8), secret) else {
                throw .other("the token cannot be signed: OpenSSL computes no HMAC")
            }
            return text + "." + code.base64URL
        case (nil, let path?):
            let key = try content(path)
            // The result of the signature shows the algorithm of the key.
            for algorithm in [SigningKey.Algorithm.edDSA, .es256] {
                let text = text(algorithm)
                guard let signature = SigningKey.signature(Array(text.utf8), key) else { break }
                guard signature.algorithm == algorithm else { continue }
                return text + "." + signature.bytes.base64URL
            }
            throw .usage("\(path) has no private key in PEM, of Ed25519 or P-256")
        default: throw .usage("a token is signed with --secret-file or with --private-key")
        }
    }

    private func content(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FileContents.Failure) {
            return try FileContents.read(path, byteLimit: 1 << 20, takesPipes: true)
        } catch {
            throw .usage("cannot read \(path): \(error.reason)")
        }
    }
}
