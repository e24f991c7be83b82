import FeedModel

/// Writing of JSON Pointers (RFC 6901) into the document of a PUT.
extension JSONWriter {
    /// Writes a pointer to a section or an item, or to a member of a section, an item or the feed.
    mutating func pointer(_ place: PatchPlace?, member: ExactString? = nil) {
        beginPointer()
        if let place {
            pointerStep(Self.sections)
            pointerIndex(place.section)
            if let item = place.item {
                pointerStep(Self.items)
                pointerIndex(item)
            }
        }
        if let member { pointerToken(member) }
        endPointer()
    }

    private static let sections = Array("/sections/".utf8)
    private static let items = Array("/items/".utf8)
}
