import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import RecordedAnswer

/// Hummingbird, serving the answer in a file, or `304` to a client that has its tag.
///
///     HummingbirdPeer FILE
@main struct HummingbirdPeer {
    static func main() async throws {
        let answer = try RecordedAnswer(of: CommandLine.arguments)
        let (tag, body) = (answer.tag, ByteBuffer(bytes: answer.body))
        var fields = HTTPFields()
        for (name, value) in answer.fields {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let router = Router()
        router.get("**") { [fields] request, _ -> Response in
            request.headers[.ifNoneMatch] == tag
                ? Response(status: .notModified, headers: fields)
                : Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body))
        }
        var logger = Logger(label: "peer")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("listening on \(channel.localAddress?.port ?? 0)")
                fflush(nil)
            },
            logger: logger
        )
        try await application.run()
    }
}
