import Foundation

/// A section of a table whose rows never change.
public struct StaticSection: Sendable {
    /// The title; `nil`: no header.
    public var title: String?
    /// The texts of the rows.
    public var rows: [String]

    /// Makes a section.
    public init(title: String? = nil, rows: [String]) {
        self.title = title
        self.rows = rows
    }
}

/// The data source of a table whose rows never change.
@MainActor
final class StaticDataSource: TableViewDataSource {
    private let sections: [StaticSection]

    init(_ sections: [StaticSection]) {
        self.sections = sections
    }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        sections[section].rows.count
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        sections[section].title
    }

    func tableView(_ tableView: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "static", for: path)
        cell.text = sections[path[0]].rows[path[1]]
        return cell
    }
}
