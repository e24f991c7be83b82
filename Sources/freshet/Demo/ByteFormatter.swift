/// A number of bytes in the unit that people would use.
enum ByteFormatter {
    /// Returns for example `512 B`, `1.5 KiB`, `12 GiB`: at most three digits before the point, and
    /// one after it for numbers below ten.
    static func string(_ byteCount: Int) -> String {
        var tenths = max(0, byteCount) * 10
        var unit = 0
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        while tenths >= 10_240, unit < units.count - 1 {
            tenths /= 1024
            unit += 1
        }
        if unit == 0 || tenths >= 100 {
            return "\(tenths / 10) \(units[unit])"
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
