import FeedModel
import HTTPServer
import HTTPTypes

extension ProblemKind {
    /// The page that explains the kind of problem, at `/problems/NAME`; its texts have no character
    /// that HTML would need escaped.
    var page: Response {
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <h1>\(title)</h1>
            <p><code>/problems/\(rawValue)</code></p>
            <p>\(explanation)</p>
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
}
