import FeedModel
import Foundation
import Testing

@testable import FeedAPI

/// Makes signed tokens, good ones and bad ones.
struct TokenMaker {
    static let secret = [UInt8]("0123456789abcdef0123456789abcdef".utf8)
    /// 2026-01-01.
    static let now = 1_767_225_600

    var header = #"{"alg":"HS256","typ":"JWT","kid":"app-1"}"#
    var claims =
        #"{"exp":1767229200,"feeds":{"read":["news"],"write":["wire-*"],"follow":["sports-*"]}}"#

    /// The two parts that are signed.
    var text: String {
        [header, claims].map { Array($0.utf8).base64URL }.joined(separator: ".")
    }

    /// The token, signed with a secret.
    func signed(_ secret: [UInt8] = TokenMaker.secret) -> String {
        text + "." + (SigningKey.code(Array(text.utf8), secret) ?? []).base64URL
    }

    static func key(
        _ kid: String = "app-1",
        _ algorithm: SigningKey.Algorithm = .hs256,
        file: [UInt8] = TokenMaker.secret,
        read: [String] = ["*"],
        write: [String] = ["*"],
        follow: [String] = ["*"]
    ) throws -> SigningKey {
        func patterns(_ list: [String]) throws -> [FeedPattern] {
            try list.map { try #require(FeedPattern($0)) }
        }
        return try SigningKey(
            kid: kid,
            algorithm: algorithm,
            file: file,
            read: try patterns(read),
            write: try patterns(write),
            follow: try patterns(follow)
        )
    }
}

/// A signature as X.509 would have it (RFC 3279 §2.2.3), which a JWT does not.
enum DER {
    static func sequence(_ pair: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let padded = (bytes.first ?? 0) > 127 ? [0] + bytes : Array(bytes)
            return [2, UInt8(padded.count)] + padded
        }
        let content = integer(pair[..<32]) + integer(pair[32...])
        return [0x30, UInt8(content.count)] + content
    }
}
