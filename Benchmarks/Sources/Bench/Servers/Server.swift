/// A running server.
struct Server: Sendable {
    let name: String
    let processID: Int32
    let port: Int
    var isSecure = false
}
