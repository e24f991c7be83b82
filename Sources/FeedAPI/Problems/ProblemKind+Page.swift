import FeedModel
import HTTPServer
import HTTPTypes

extension ProblemKind {
    /// The page that explains the kind of problem, at `/problems/NAME`.
    var page: Response {
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <h1>\(title)</h1>
            <p><code>/problems/\(rawValue)</code></p>
            <p>\(ProblemKind.escaped(explanation))</p>
            </html>

            """
        let fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "max-age=3600",
            .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        ]
        return Response(status: .ok, fields: fields, body: .bytes(Array(page.utf8)))
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
