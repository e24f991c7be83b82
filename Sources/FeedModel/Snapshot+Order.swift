extension Snapshot {
    /// The check on the order of the items (docs/PROTOCOL.md, "The snapshot").
    public var order: UInt32 {
        var check = CRC32()
        for section in sections {
            check.update(UInt8(ascii: "#"))
            check.update(section.id.string.utf8.span)
            check.update(UInt8(ascii: "\n"))
            // A span, because iterating over the array retains every item.
            let items = section.items.span
            for index in items.indices {
                check.update(UInt8(ascii: " "))
                check.update(items[index].id.string.utf8.span)
                check.update(UInt8(ascii: "\n"))
            }
        }
        return check.value
    }
}
