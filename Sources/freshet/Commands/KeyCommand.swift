import ArgumentParser
import FeedAPI

/// `freshet key`: makes a key.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make a key, and print it with its SHA-256 digest."
    )

    mutating func run() {
        let key = KeyText.random()
        print("key    \(key)")
        print("sha256 \(KeyCommand.digest(key))")
    }

    /// What a server knows a key by, in 64 lower-case hexadecimal digits.
    static func digest(_ key: String) -> String {
        let digits = AccessKey(key).digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return digits.joined()
    }
}
