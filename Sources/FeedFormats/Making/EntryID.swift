import COpenSSL
import FeedModel

/// Makes the ids of items from the names of entries.
package enum EntryID {
    /// Returns a text as an id: the text itself if that is valid, otherwise its SHA-256 in hex.
    package static func id(_ text: String) -> String {
        ExactString(text).refusalAsID == nil ? text : digest(text)
    }

    /// Returns the SHA-256 of a text, in hex.
    package static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    /// Returns the SHA-256 of bytes, in hex.
    package static func digest(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        freshet_sha256(bytes, bytes.count, &digest)
        return digest.hexadecimal
    }
}
