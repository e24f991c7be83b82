import FeedUI
import Foundation
import Testing

/// What the documentation shows.
@Suite @MainActor struct Snippets {
    @Test func aTableShowsASnapshot() throws {
        let table = TableView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
        let source = try DiffableDataSource<String, String>(tableView: table) { table, path, item in
            let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
            cell.text = item
            return cell
        }
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        try snapshot.appendSections(["main"])
        try snapshot.appendItems(["grebe", "heron"])
        try source.apply(snapshot)
        #expect(table.visibleCells.map(\.text) == ["grebe", "heron"])
    }

    /// Every piece of code in the documentation stands in a file that is compiled or parsed.
    @Test func codeOfTheDocumentationIsCodeOfTheProject() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let code = try Self.files(
            ["Examples", "Tests/FeedClientTests", "Tests/FeedUITests"],
            "swift",
            below: root
        )
        .map(Self.words)
        var count = 0
        for article in try Self.files(["Sources"], "md", below: root) {
            for block in article.components(separatedBy: "```swift\n").dropFirst() {
                let snippet = Self.words(block.components(separatedBy: "```")[0])
                #expect(code.contains { $0.contains(snippet) }, "\(snippet)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    private static func files(
        _ folders: [String],
        _ type: String,
        below root: URL
    ) throws -> [String] {
        try folders.flatMap { folder -> [String] in
            let url = root.appendingPathComponent(folder)
            let names = FileManager.default.enumerator(atPath: url.path)?.compactMap {
                $0 as? String
            }
            return try (names ?? []).filter { $0.hasSuffix("." + type) }
                .map { try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8) }
        }
    }

    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
