internal import CBytes

/// Finds the control characters of a head, 64 bytes at a time: lines end at them.
struct ControlPlaces {
    /// The index of the first byte that ``marks`` are about; -64 before the first search.
    private var start = -64
    /// A bit for each of 64 bytes, the lowest for the first byte.
    private var marks: UInt64 = 0

    /// Returns the index of the first control character from `index` on; ``Span/count`` if there is
    /// none.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, the same as in the previous calls.
    ///   - index: An index after the previous result.
    @inline(__always)
    mutating func next(in bytes: Span<UInt8>, from index: Int) -> Int {
        let passed = index &- start
        let ahead = passed < 64 ? marks &>> UInt64(passed) : 0
        return ahead != 0 ? index &+ ahead.trailingZeroBitCount : find(in: bytes, from: index)
    }

    private mutating func find(in bytes: Span<UInt8>, from index: Int) -> Int {
        start = max(index, start &+ 64)
        while start < bytes.count {
            marks = bytes.controls(from: start)
            guard marks == 0 else { return min(start &+ marks.trailingZeroBitCount, bytes.count) }
            start &+= 64
        }
        marks = 0
        return bytes.count
    }
}

extension Span<UInt8> {
    /// Returns marks of the control characters among the 64 bytes from `index` on, which is below
    /// ``count``; if there are fewer bytes, one mark follows the last byte.
    fileprivate func controls(from index: Int) -> UInt64 {
        unsafe extracting(index...).withUnsafeBufferPointer { rest in
            unsafe freshet_controls(rest.baseAddress!, rest.count)
        }
    }

    /// Returns marks of the bytes equal to `byte` among the 16 bytes from `index` on, which must
    /// exist.
    @inline(__always)
    func places(of byte: UInt8, from index: Int) -> UInt16 {
        unsafe withUnsafeBufferPointer { unsafe freshet_places($0.baseAddress! + index, byte) }
    }

    /// Returns marks of the bytes that are neither ASCII letters nor hyphens among the 16 bytes
    /// from `index` on, which must exist.
    @inline(__always)
    func nonLetters(from index: Int) -> UInt16 {
        unsafe withUnsafeBufferPointer { unsafe freshet_nonLetters($0.baseAddress! + index) }
    }
}
