extension RequestHead {
    /// The id of the trace that the request belongs to: 32 lower-case hexadecimal digits (W3C Trace
    /// Context, Level 1 §3.2); nil if the field is absent or malformed.
    package var traceID: ArraySlice<UInt8>? {
        guard let place = first(.traceparent) else { return nil }
        let value = bytes[place]
        let start = value.startIndex
        // The form is: version "-" trace-id "-" parent-id "-" flags; a later version may append
        // more.
        guard value.count >= 55,
            value.count == 55 || value[start] != UInt8(ascii: "0")
                || value[start + 1] != UInt8(ascii: "0"),
            value.count == 55 || value[start + 55] == UInt8(ascii: "-")
        else { return nil }
        let (version, trace) = (value[start..<start + 2], value[start + 3..<start + 35])
        let (parent, flags) = (value[start + 36..<start + 52], value[start + 53..<start + 55])
        let dashes = [2, 35, 52].allSatisfy { value[start + $0] == UInt8(ascii: "-") }
        guard dashes, [version, trace, parent, flags].allSatisfy(\.isLowerHexadecimal),
            !version.allSatisfy({ $0 == UInt8(ascii: "f") }),
            trace.contains(where: { $0 != UInt8(ascii: "0") }),
            parent.contains(where: { $0 != UInt8(ascii: "0") })
        else { return nil }
        return trace
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isLowerHexadecimal: Bool {
        allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
