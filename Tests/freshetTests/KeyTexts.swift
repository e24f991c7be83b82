import Testing

@testable import freshet

@Suite struct KeyTexts {
    @Test func keyTextsHoldThirtyTwoRandomBytes() {
        let keys = (0..<100).map { _ in KeyText.random() }
        #expect(Set(keys).count == 100)
        #expect(keys.allSatisfy { $0.utf8.count == 43 && KeyText.canBeSent($0) })
        #expect(keys.allSatisfy { !$0.contains { "+/=".contains($0) } })
    }

    @Test func aNewKeyIsNoOption() {
        #expect((0..<2000).allSatisfy { _ in !KeyText.random().hasPrefix("-") })
    }

    /// The first two of FIPS 180-4's examples.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func keyTextsAreKnownByTheirDigest(_ text: String, _ digest: String) {
        #expect(KeyCommand.digest(text) == digest)
    }

    @Test(arguments: [
        ("a", true), ("aZ09-._~+/==", true), ("", false), ("=", false), ("a=b", false),
        ("a b", false), ("a,b", false), ("é", false), ("a\n", false),
    ])
    func keyTextsCanBeSentWhenAFieldCanCarryThem(_ text: String, _ canBeSent: Bool) {
        #expect(KeyText.canBeSent(text) == canBeSent)
    }
}
