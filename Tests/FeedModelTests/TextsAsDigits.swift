import FeedModel
import Testing

/// Percent-encoding (RFC 3986 §2) and hexadecimal digits.
@Suite struct TextsAsDigits {
    @Test(arguments: [
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("a/b c+d%", "a%2Fb%20c%2Bd%25"),
        ("ü@[`{\u{7F}\n", "%C3%BC%40%5B%60%7B%7F%0A"),
    ])
    func percentEncodingLeavesTheUnreserved(_ text: String, _ encoded: String) {
        #expect(text.percentEncoded == encoded)
    }

    @Test(
        arguments: [
            ("0", 0), ("007", 7), ("999999999999999999", 999_999_999_999_999_999),
            ("1000000000000000000", nil), ("", nil), ("+1", nil), ("-1", nil), (" 1", nil),
            ("1 ", nil), ("1.0", nil), ("1e2", nil), ("١", nil), ("1_0", nil),
        ] as [(String, Int?)]
    )
    func numbersAreOfDigitsAlone(_ text: String, _ number: Int?) {
        #expect(Int(digits: text.utf8) == number)
    }

    @Test func hexadecimalNumbersHaveAllTheirDigits() {
        #expect(UInt8(7).hexadecimal == "07")
        #expect(UInt32.max.hexadecimal == "ffffffff")
        #expect(([0x00, 0xAB, 0x0F] as [UInt8]).hexadecimal == "00ab0f")
    }
}
