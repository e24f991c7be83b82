import COpenSSL
import FeedModel

/// The signature of a push from a hub: `X-Hub-Signature` (W3C WebSub §7.1).
enum PushSignature {
    /// The methods of the specification, with their numbers in the C shim.
    private static let methods: [String: CInt] = [
        "sha1": 1, "sha256": 256, "sha384": 384, "sha512": 512,
    ]

    /// Returns whether a field's value is the signature of a body; the comparison takes constant
    /// time.
    static func isRight(_ field: String?, of body: [UInt8], secret: String) -> Bool {
        guard let parts = field?.split(separator: "=", maxSplits: 1), parts.count == 2,
            let method = methods[parts[0].lowercased()], let sent = [UInt8](hexadecimal: parts[1])
        else { return false }
        let secret = Array(secret.utf8)
        var code = [UInt8](repeating: 0, count: 64)
        let count = freshet_hmacBy(method, secret, secret.count, body, body.count, &code)
        guard count > 0, sent.count == Int(count) else { return false }
        return CRYPTO_memcmp(sent, code, sent.count) == 0
    }
}
