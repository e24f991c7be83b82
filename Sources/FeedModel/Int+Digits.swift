extension Int {
    /// Parses a number of 1 to 18 ASCII digits and nothing else, in UTF-8; so few digits leave room
    /// for arithmetic.
    ///
    /// `Int(_:)` would accept a sign.
    package init?(digits: some Collection<UInt8>) {
        guard digits.count <= 18, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self))
    }
}
