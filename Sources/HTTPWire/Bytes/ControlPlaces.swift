internal import CBytes

/// Where the controls of a head are, 64 bytes at a time: its lines end at them.
struct ControlPlaces {
    /// The index of the first byte that ``marks`` are of; at first nothing was looked at.
    private var start = -64
    /// A bit for each of 64 bytes, the first one's lowest.
    private var marks: UInt64 = 0

    /// Where the first control from `index` on stands; ``Span/count`` if there is none.
    ///
    /// - Parameters:
    ///   - bytes: The same as in the calls before.
    ///   - index: Behind what was found before.
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
    /// Which of the 64 bytes from `index` on, which is below ``count``, are controls; where there
    /// are fewer, one seems to be behind the last.
    fileprivate func controls(from index: Int) -> UInt64 {
        unsafe extracting(index...).withUnsafeBufferPointer { rest in
            unsafe freshet_controls(rest.baseAddress!, rest.count)
        }
    }

    /// Which of the 16 bytes from `index` on, which the caller has seen to be there, are `byte`.
    @inline(__always)
    func places(of byte: UInt8, from index: Int) -> UInt16 {
        unsafe withUnsafeBufferPointer { unsafe freshet_places($0.baseAddress! + index, byte) }
    }

    /// Which of the 16 bytes from `index` on, which the caller has seen to be there, are neither
    /// letters of ASCII nor hyphens.
    @inline(__always)
    func nonLetters(from index: Int) -> UInt16 {
        unsafe withUnsafeBufferPointer { unsafe freshet_nonLetters($0.baseAddress! + index) }
    }
}
