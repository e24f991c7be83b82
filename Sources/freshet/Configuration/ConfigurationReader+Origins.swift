import FeedAPI
import HTTPTypes
import Yams

/// The origins whose pages may call the server from a browser.
extension ConfigurationReader {
    mutating func origins(_ node: Node) -> APIConfiguration.Origins? {
        let path = "allowed-origins"
        if let scalar = node.scalar {
            if scalar.string == "*" { return .any }
            report(node.mark, path, "must be \"*\" or a list of origins")
            return nil
        }
        guard let list = elements(node, path, of: "origins") else { return nil }
        var origins: [String] = []
        for (node, path) in list {
            guard let text = text(node, path) else { continue }
            if let reason = OriginText.refusal(text) {
                report(node.mark, path, reason)
            } else if origins.contains(text) {
                report(node.mark, path, "\"\(text)\" is there twice")
            } else {
                origins.append(text)
            }
        }
        return .list(origins)
    }

    /// Reads the names of fields that pages of other origins may send.
    mutating func allowedFields(_ node: Node) -> [String]? {
        guard let list = elements(node, "allowed-headers", of: "field names") else { return nil }
        var names: [String] = []
        for (node, path) in list {
            guard let text = text(node, path) else { continue }
            if HTTPField.Name(text) == nil {
                let reason = "is not the name of a field, such as X-App-Version: \"\(text)\""
                report(node.mark, path, reason)
            } else if names.contains(where: { $0.lowercased() == text.lowercased() }) {
                report(node.mark, path, "\"\(text)\" is there twice")
            } else {
                names.append(text)
            }
        }
        return names
    }
}
