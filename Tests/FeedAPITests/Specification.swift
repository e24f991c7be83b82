import FeedFormats
import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// Public/openapi.json has the routes that there are, their methods and their parameters.
///
/// What it says of responses is compared by scripts/test-openapi.
@Suite struct Specification {
    /// A path of the specification, and the row of the table that answers it.
    struct Path: Sendable, CustomTestStringConvertible {
        let name: String
        let resource: Resource

        var testDescription: String { name }

        /// An address of that path.
        var target: String {
            name.replacing("{feed}", with: "news").replacing("{id}", with: "a1")
                .replacing("{name}", with: "key").replacing("{token}", with: "aaaaaaaa.1")
        }

        /// The paths of all rows; the formats for feed readers have a path each.
        static let all: [Path] = Resource.table.flatMap { resource -> [Path] in
            guard resource.pattern != nil else { return [] }
            guard resource.isFormatted else {
                return [Path(name: resource.name, resource: resource)]
            }
            return SyndicationFormat.allCases.map { format in
                let name = resource.name.replacing("{format}", with: format.rawValue)
                return Path(name: name, resource: resource)
            }
        }
    }

    private let page: TestJSON

    init() throws {
        page = try #require(TestJSON(ProtocolDocument.text(of: "Public/openapi.json")))
    }

    /// The methods that are written out; HEAD goes with GET, and OPTIONS with everything.
    private func methods(_ path: Path) -> Set<String> {
        let found = page["paths"]?[ExactString(path.name)]
        return Set((found?.members.keys).map { $0.map(\.string) } ?? []).subtracting(["parameters"])
    }

    @Test func hasThePathsThatThereAre() {
        let paths = (page["paths"]?.members.keys).map { $0.map(\.string) } ?? []
        #expect(Set(paths) == Set(Path.all.map(\.name)))
    }

    @Test(arguments: Path.all)
    func hasTheMethodsOf(_ path: Path) async throws {
        let allowed = Set(
            path.resource.methods.lowercased().split(separator: ", ").map(String.init)
        )
        let methods = methods(path)
        // OpenAPI 3.1 has no word for QUERY.
        #expect(methods == allowed.subtracting(["head", "options", "query"]))
        #expect(methods.contains("get") == allowed.contains("head"))
        let api = API { $0.metrics = SomeMetrics() }
        let answer = try await api.send("OPTIONS", path.target)
        #expect(answer.status == 204)
        #expect(answer["Allow"] == path.resource.methods)
    }

    /// Publishes refuse parameters that they do not know.
    @Test(arguments: Path.all.filter { $0.name.hasPrefix("/feeds/") })
    func hasTheParametersOfPublishesTo(_ path: Path) async throws {
        let api = API()
        for method in methods(path).subtracting(["get"]) {
            let known = parameters(path, method)
            for parameter in Query.Parameter.allCases {
                let target = path.target + "?\(parameter.name)=%20"
                let answer = try await api.send(method.uppercased(), target)
                let isKnown = !answer.detail.contains("is not known here")
                #expect(known.contains(parameter.name) == isKnown, "\(method) \(target)")
            }
        }
    }

    /// Reads ignore parameters that they do not know, so only their names are compared.
    @Test(arguments: Query.Parameter.allCases)
    func namesTheParameter(_ parameter: Query.Parameter) throws {
        let operations = Path.all.flatMap { path in methods(path).map { (path, $0) } }
        #expect(operations.contains { parameters($0, $1).contains(parameter.name) })
        let bytes = Array(parameter.name.utf8)
        #expect(try Query(bytes, bytes.indices).has(parameter))
    }

    /// The parameters in the query of a method.
    private func parameters(_ path: Path, _ method: String) -> Set<String> {
        let operation = page["paths"]?[ExactString(path.name)]?[ExactString(method)]
        let list = (operation?["parameters"]?.list ?? []).map { parameter in
            let name = parameter["$ref"]?.string?.split(separator: "/").last ?? ""
            return page["components"]?["parameters"]?[ExactString(String(name))] ?? parameter
        }
        return Set(list.filter { $0["in"] == "query" }.compactMap { $0["name"]?.string })
    }

    @Test func hasTheKindsOfProblems() {
        let kinds = Set(ProblemKind.allCases.map(\.rawValue))
        let types = page["components"]?["schemas"]?["Problem"]?["properties"]?["type"]?["enum"]
        #expect(Set(types?.list.compactMap(\.string) ?? []) == Set(kinds.map { "/problems/\($0)" }))
        let name = page["paths"]?["/problems/{name}"]?["parameters"]?[0]?["schema"]?["enum"]
        #expect(Set(name?.list.compactMap(\.string) ?? []) == kinds)
    }
}
