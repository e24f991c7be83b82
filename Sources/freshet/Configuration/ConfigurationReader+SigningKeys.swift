import FeedAPI
import Yams

/// Reads the keys that may sign tokens, and the rights that their tokens can have at most.
extension ConfigurationReader {
    private static let signingKeyNames = [
        "kid", "algorithm", "secret-file", "public-key", "read", "write", "follow",
    ]

    mutating func readSigningKeys(_ node: Node) {
        guard let list = elements(node, "signing-keys", of: "keys") else { return }
        var kids: [String: String] = [:]
        for (node, path) in list {
            guard let entries = entries(node, path, known: Self.signingKeyNames) else { continue }
            let kid = kid(entries["kid"], path, node.mark)
            let algorithm = algorithm(entries["algorithm"], path, node.mark)
            let read = feeds(of: "read", entries, path)
            let write = feeds(of: "write", entries, path)
            let follow = feeds(of: "follow", entries, path)
            if entries["read"] == nil, entries["write"] == nil, entries["follow"] == nil {
                report(node.mark, path, "may sign nothing; give it read, write or follow")
            }
            if let kid, let first = kids.updateValue(path, forKey: kid) {
                report(entries["kid"]?.mark, path + ".kid", "is also that of \(first)")
            }
            guard let algorithm,
                let (file, mark) = keyFile(entries, path, node.mark, of: algorithm), let kid
            else { continue }
            do throws(SigningKey.Failure) {
                let key = try SigningKey(
                    kid: kid,
                    algorithm: algorithm,
                    file: file,
                    read: read,
                    write: write,
                    follow: follow
                )
                self.file.settings.api.signingKeys.append(key)
            } catch {
                report(mark, path + "." + algorithm.fileSetting, error.reason(algorithm))
            }
        }
    }

    private mutating func kid(_ node: Node?, _ path: String, _ mark: Mark?) -> String? {
        guard let node else {
            report(mark, path, "has no kid, by which tokens name it")
            return nil
        }
        return name(node, path + ".kid", "1 to 256")
    }

    private mutating func algorithm(
        _ node: Node?,
        _ path: String,
        _ mark: Mark?
    ) -> SigningKey.Algorithm? {
        let all = SigningKey.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
        guard let node else {
            report(mark, path, "has no algorithm, which is one of \(all)")
            return nil
        }
        let setting = Setting<SigningKey.Algorithm>("algorithm", "one of \(all)") {
            SigningKey.Algorithm(name: $0)
        }
        return value(setting, node, path + ".algorithm")
    }

    /// Returns the content of the one file that a key of this algorithm has.
    private mutating func keyFile(
        _ entries: Entries,
        _ path: String,
        _ mark: Mark?,
        of algorithm: SigningKey.Algorithm
    ) -> (content: [UInt8], mark: Mark?)? {
        let name = algorithm.fileSetting
        for other in ["secret-file", "public-key"] where other != name {
            guard let node = entries[other] else { continue }
            let reason = "is not for \(algorithm.rawValue), which has \(name)"
            report(node.mark, path + "." + other, reason)
        }
        guard let node = entries[name] else {
            report(mark, path, "has no \(name), the file of its key")
            return nil
        }
        guard let text = text(node, path + "." + name) else { return nil }
        if algorithm != .hs256, text.hasPrefix("-----BEGIN ") {
            return (Array(text.utf8), node.mark)
        }
        do throws(FileContents.Failure) {
            let content = try FileContents.read(text, byteLimit: 1 << 20)
            if algorithm == .hs256 { file.secretFiles.append(text) }
            return (content, node.mark)
        } catch {
            report(node.mark, path + "." + name, "cannot be read: \(text): \(error.reason)")
            return nil
        }
    }
}

extension SigningKey.Algorithm {
    /// The setting that names the file of a key.
    fileprivate var fileSetting: String { self == .hs256 ? "secret-file" : "public-key" }
}

extension SigningKey.Failure {
    fileprivate func reason(_ algorithm: SigningKey.Algorithm) -> String {
        switch self {
        case .shortSecret(let count):
            "has \(count) bytes; a secret has at least \(SigningKey.leastSecretByteCount)"
        case .noPublicKey: "has no public key in PEM (\"-----BEGIN PUBLIC KEY-----\")"
        case .otherKind:
            "has a key of another kind; \(algorithm.rawValue) is for "
                + (algorithm == .edDSA ? "Ed25519" : "P-256")
        }
    }
}
