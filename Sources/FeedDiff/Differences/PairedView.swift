import FeedModel

/// A view of one of the two versions of a ``VersionPairing``: it translates between positions in
/// the view and numbers in the whole version.
struct PairedView {
    let side: VersionPairing.Side
    /// The whole version.
    let version: Snapshot
    let viewed: ViewedSnapshot
    /// The numbers of the sections that the view lists; `nil`: all are listed.
    private var listed: [Int]?
    /// The position of each section among the listed ones, or -1; empty if all are listed.
    private var positions: [Int32] = []

    /// Applies a view to a version.
    init(_ side: VersionPairing.Side, of version: Snapshot, through view: FeedView) {
        self.side = side
        self.version = version
        viewed = view(version)
        guard view.sections != nil else { return }
        let numbers = viewed.base.list.compactMap { version.position(ofSection: $0.id) }
        positions = [Int32](repeating: -1, count: version.list.count)
        for (position, number) in numbers.enumerated() { positions[number] = Int32(position) }
        listed = numbers
    }

    /// The number of listed sections.
    var sectionCount: Int { listed?.count ?? side.sections.count }

    /// Returns the number in the version of a listed section.
    func number(ofSection position: Int) -> Int { listed?[position] ?? position }

    /// Returns the position among the listed sections of a section's number; `nil` if it is not
    /// listed.
    func position(ofSection number: Int) -> Int? {
        guard number >= 0, listed != nil else { return number < 0 ? nil : number }
        return positions[number] < 0 ? nil : Int(positions[number])
    }

    /// Returns the numbers of the items of a listed section that the view shows.
    func items(ofSection position: Int) -> Range<Int> {
        let number = number(ofSection: position)
        let start = Int(side.starts[number])
        if position < viewed.end.section { return start..<Int(side.starts[number + 1]) }
        return start..<start + (position == viewed.end.section ? viewed.end.index : 0)
    }

    /// Returns whether the view shows the item with a number; -1 stands for no item.
    func shows(item number: Int) -> Bool {
        guard number >= 0, listed != nil else { return number >= 0 && number < viewed.end.count }
        let section = Int(side.position(ofItem: number).section)
        guard let position = position(ofSection: section) else { return false }
        return items(ofSection: position).contains(number)
    }

    /// Returns the position in the view of the item with a number, which the view must show.
    func position(ofItem number: Int) -> ItemPosition {
        var position = side.position(ofItem: number)
        if listed != nil { position.section = positions[Int(position.section)] }
        return position
    }
}
