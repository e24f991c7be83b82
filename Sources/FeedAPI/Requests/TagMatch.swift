import HTTPWire

/// Which tags of a condition matched what would be sent, by the codings that they name.
struct TagMatch: Sendable {
    /// The coding of the first one.
    private let first: ContentCoding
    /// A bit for each coding.
    private var codings: UInt8
    /// Whether it was a date that matched.
    let isByDate: Bool

    init(_ coding: ContentCoding) {
        self.init(first: coding, codings: TagMatch.bit(coding), isByDate: false)
    }

    private init(first: ContentCoding, codings: UInt8, isByDate: Bool) {
        self.first = first
        self.codings = codings
        self.isByDate = isByDate
    }

    /// `*`, which matches each of them.
    static let any = TagMatch(first: .identity, codings: .max, isByDate: false)

    /// A date, which is that of each of them.
    static let byDate = TagMatch(first: .identity, codings: .max, isByDate: true)

    /// Whether it names no tag: that of a `304` is then that of a `200`, and of no other coding.
    var namesNone: Bool { codings == .max }

    /// Adds the next one.
    mutating func add(_ coding: ContentCoding) {
        codings |= TagMatch.bit(coding)
    }

    /// The coding of the tag that a `304` has: that of a `200`, if it is among those that matched,
    /// else of the first that did.
    ///
    /// - Parameter sent: The coding that a `200` would have; `nil`: that cannot be told.
    func coding(asSent sent: ContentCoding?) -> ContentCoding {
        guard let sent, codings & TagMatch.bit(sent) != 0 else { return first }
        return sent
    }

    /// The same, where it can be told without making a document.
    ///
    /// - Parameter choice: How an answer should be coded.
    func coding(for choice: CodingChoice) -> ContentCoding? {
        if codings == TagMatch.bit(first) { return first }
        return choice.coding == .identity ? coding(asSent: .identity) : nil
    }

    private static func bit(_ coding: ContentCoding) -> UInt8 {
        1 &<< UInt8(truncatingIfNeeded: coding.number)
    }
}
