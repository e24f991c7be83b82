import FeedModel
import HTTPServer
import HTTPTypes

/// The pages that explain the types of problems, at `/problems/NAME`.
enum ProblemPage {
    /// Returns the page of a problem.
    ///
    /// - Returns: `nil` if no problem has that name.
    static func response(_ name: ExactString) -> Response? {
        guard let kind = ProblemKind.allCases.first(where: { ExactString($0.rawValue) == name })
        else {
            return nil
        }
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(kind.title)</title>
            <h1>\(kind.title)</h1>
            <p><code>/problems/\(kind.rawValue)</code></p>
            <p>\(escaped(kind.explanation))</p>
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
