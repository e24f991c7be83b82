/// A side of a comparison under load: a server, and the request to it.
struct Side {
    let name: String
    let server: Server
    let request: Request
    /// The status that the server must answer with.
    let status: Int

    init(_ name: String, _ server: Server, _ request: Request, status: Int = 200) {
        self.name = name
        self.server = server
        self.request = request
        self.status = status
    }
}
