/// A request as it goes over the wire.
struct Request {
    var method = "GET"
    let target: String
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var bytes: [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if method != "GET" { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// Returns the request with another field.
    func with(_ name: String, _ value: String) -> Request {
        var copy = self
        copy.fields.append((name, value))
        return copy
    }
}
