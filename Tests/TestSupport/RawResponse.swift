/// An answer as it came over a connection.
package struct RawResponse: Sendable {
    package var status: Int
    /// In order, the names in lower case.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8] = []

    /// Reads a head without its last empty line, strictly (RFC 9112 §4).
    package init(head: [UInt8]) throws {
        var lines = String(decoding: head, as: UTF8.self).split(
            separator: "\r\n",
            omittingEmptySubsequences: false
        )
        let start = lines.removeFirst().split(separator: " ", maxSplits: 2)
        guard start.count >= 2, start[0] == "HTTP/1.1", start[1].count == 3,
            let status = Int(start[1])
        else { throw RawClient.Failure.malformed("status line \(start)") }
        self.status = status
        fields = try lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(" ") else {
                throw RawClient.Failure.malformed("field \(line)")
            }
            let value = parts[1].drop { $0 == " " }
            return (parts[0].lowercased(), String(value))
        }
    }

    /// The values of the field `name`, in lower case.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The only value of the field `name`.
    package subscript(name: String) -> String? {
        let all = values(name)
        return all.count == 1 ? all[0] : nil
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
