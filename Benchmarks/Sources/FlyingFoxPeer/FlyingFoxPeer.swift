import FlyingFox
import FlyingSocks
import Foundation
import RecordedAnswer

/// FlyingFox, serving the answer in a file, or `304` to a client that has its tag.
///
///     FlyingFoxPeer FILE
@main struct FlyingFoxPeer {
    static func main() async throws {
        let answer = try RecordedAnswer(of: CommandLine.arguments)
        let (tag, body) = (answer.tag, Data(answer.body))
        var fields = HTTPHeaders()
        for (name, value) in answer.fields { fields[HTTPHeader(name)] = value }
        let handler = ClosureHTTPHandler { [fields] request in
            let isKnown = request.headers[HTTPHeader("If-None-Match")] == tag
            return HTTPResponse(
                statusCode: isKnown ? .notModified : .ok,
                headers: fields,
                body: isKnown ? Data() : body
            )
        }
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0),
            logger: .disabled,
            handler: handler
        )
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        if case .ip4(_, let port) = await server.listeningAddress {
            print("listening on \(port)")
            fflush(nil)
        }
        try await running.value
    }
}
