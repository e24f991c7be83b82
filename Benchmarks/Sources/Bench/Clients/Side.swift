/// One of those that are compared under load: a server, and what it is asked.
struct Side {
    let name: String
    let server: Server
    let request: Request
    /// What it must answer.
    let status: Int

    init(_ name: String, _ server: Server, _ request: Request, status: Int = 200) {
        self.name = name
        self.server = server
        self.request = request
        self.status = status
    }
}
