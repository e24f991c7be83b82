import FeedModel

/// What a view shows of one of two paired versions.
struct PairedView {
    let side: VersionPairing.Side
    /// The whole version.
    let version: Snapshot
    let viewed: ViewedSnapshot
    /// The numbers of the sections that are listed; `nil`: all.
    private var listed: [Int]?
    /// For each section its position among those that are listed, or -1; empty where all are.
    private var positions: [Int32] = []

    /// Looks through a view.
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

    /// How many sections are listed.
    var sectionCount: Int { listed?.count ?? side.sections.count }

    /// The number in the version of a section that is listed.
    func number(ofSection position: Int) -> Int { listed?[position] ?? position }

    /// Where a section of the version is listed, by its number; `nil` where it is not.
    func position(ofSection number: Int) -> Int? {
        guard number >= 0, listed != nil else { return number < 0 ? nil : number }
        return positions[number] < 0 ? nil : Int(positions[number])
    }

    /// The numbers of the items that are shown of a section that is listed.
    func items(ofSection position: Int) -> Range<Int> {
        let number = number(ofSection: position)
        let start = Int(side.starts[number])
        if position < viewed.end.section { return start..<Int(side.starts[number + 1]) }
        return start..<start + (position == viewed.end.section ? viewed.end.index : 0)
    }

    /// Whether an item of the version is shown, by its number; -1 is none.
    func shows(item number: Int) -> Bool {
        guard number >= 0, listed != nil else { return number >= 0 && number < viewed.end.count }
        let section = Int(side.position(ofItem: number).section)
        guard let position = position(ofSection: section) else { return false }
        return items(ofSection: position).contains(number)
    }

    /// Where an item that is shown stands in what is shown, by its number.
    func place(ofItem number: Int) -> ItemPosition {
        var place = side.position(ofItem: number)
        if listed != nil { place.section = positions[Int(place.section)] }
        return place
    }
}
