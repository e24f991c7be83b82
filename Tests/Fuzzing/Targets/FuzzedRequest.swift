import HTTPWire
import TestSupport

/// A request without content, made of lines: its target, then fields.
struct FuzzedRequest {
    private let target: String
    private let fields: [String]

    /// - Parameters:
    ///   - input: The lines.
    ///   - path: Stands before the first.
    init(_ input: [UInt8], path: String = "") {
        let lines = input.split(separator: 10, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        target = path + (lines.first ?? "")
        fields = Array(lines.dropFirst())
    }

    private init(target: String, fields: [String]) {
        self.target = target
        self.fields = fields
    }

    /// The head.
    ///
    /// - Returns: `nil` when it is none, or says that content follows.
    func head(_ method: String = "GET") -> RequestHead? {
        let lines = fields.map { $0 + "\r\n" }.joined()
        let text = "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(lines)\r\n"
        guard let head = try? RequestHead(parsing: text), head.framing == .none else { return nil }
        return head
    }

    /// The same with another target.
    func asking(for target: String) -> FuzzedRequest {
        FuzzedRequest(target: target, fields: fields)
    }

    /// The same with another query.
    func relative(_ reference: String) -> FuzzedRequest {
        asking(for: target.prefix { $0 != "?" } + reference)
    }

    /// The same without the fields of some names, and with other ones.
    func without(_ names: String..., adding added: [String] = []) -> FuzzedRequest {
        let kept = fields.filter { line in
            let name = line.prefix { $0 != ":" }.lowercased()
            return !names.contains(name)
        }
        return FuzzedRequest(target: target, fields: kept + added)
    }
}
