/// Operations on 32 bytes of text, the first byte lowest in the first word.
extension SIMD4<UInt64> {
    /// Finds bytes that cannot follow the three bytes before each (The Unicode Standard, table
    /// 3-7).
    ///
    /// - Parameters:
    ///   - first: The bytes one position before these.
    ///   - second: The bytes two positions before.
    ///   - third: The bytes three positions before.
    /// - Returns: The highest bit of each faulty byte; 0 if there is none.
    @inline(__always)
    func faultsOfUTF8(after first: Self, _ second: Self, _ third: Self) -> Self {
        // The relevant bits are all shifted to the highest of their byte.
        let isContinuation = self & ~(self &<< 1)
        let isLead = first & first &<< 1
        let isAfterTwo = second & second &<< 1 & second &<< 2
        let isAfterThree = third & third &<< 1 & third &<< 2 & third &<< 3
        let length = (isLead | isAfterTwo | isAfterThree) ^ isContinuation

        let (bit5, bit4) = (first &<< 2, first &<< 3)
        let (bit3, bit2, bit1, bit0) = (first &<< 4, first &<< 5, first &<< 6, first &<< 7)
        let isLow = ~(self &<< 2)  // below 0xa0
        let isLowest = isLow & ~(self &<< 3)  // below 0x90
        let zero = ~(bit3 | bit2 | bit1)
        let two = ~bit5 & ~bit4 & zero  // 0xc0, 0xc1: overlong
        let zeroNibble = zero & ~bit0
        // 0xe0: overlong below 0xa0; 0xed: surrogates from there.
        let surrogates = bit3 & bit2 & ~bit1 & bit0 & ~isLow
        let three = bit5 & ~bit4 & (zeroNibble & isLow | surrogates)
        // 0xf0: overlong below 0x90; 0xf4: past 0x10ffff from there; more is none.
        let past = bit3 | bit2 & (bit1 | bit0 | ~isLowest)
        let four = bit5 & bit4 & (zeroNibble & isLowest | past)
        return (length | isLead & (two | three | four)) & .highBits
    }

    /// Whether all bits are 0.
    @inline(__always)
    var isZero: Bool { self[0] | self[1] | self[2] | self[3] == 0 }

    /// The highest bit of every byte.
    @inline(__always)
    static var highBits: Self { Self(repeating: 0x8080_8080_8080_8080) }
}
