/// A table of figures.
struct Table {
    var title = ""
    let columns: [String]
    var rows: [[String]] = []

    var markdown: String {
        let lines = [columns, columns.map { _ in "---" }] + rows
        let text = lines.map { "| " + $0.joined(separator: " | ") + " |" }
        return (title.isEmpty ? "" : "\(title)\n\n") + text.joined(separator: "\n")
    }
}
