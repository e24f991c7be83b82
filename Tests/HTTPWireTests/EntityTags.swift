import HTTPWire
import Testing

/// RFC 9110 §8.8.3 and §13.1.
@Suite struct EntityTags {
    private static let a = EntityTag("a")
    private static let weakA = EntityTag("a", isWeak: true)
    private static let b = EntityTag("b")

    @Test(arguments: [
        ("*", EntityTagCondition.any), (" * ", .any), (",*,", .any),
        ("\"a\"", .list([a])), ("W/\"a\"", .list([weakA])), ("\"\"", .list([EntityTag("")])),
        ("\"a\",\"b\"", .list([a, b])), ("\"a\" ,\t W/\"a\" , \"b\"", .list([a, weakA, b])),
        (",, \"a\" ,,\"b\",", .list([a, b])), ("\"a,b\"", .list([EntityTag("a,b")])),
        ("\"*\"", .list([EntityTag("*")])), ("\"a\\\"", .list([EntityTag("a\\")])),
        ("\"W/\"", .list([EntityTag("W/")])), ("\"é!#~\"", .list([EntityTag("é!#~")])),
        ("\"q7x2m5kd.42-gzip\"", .list([EntityTag("q7x2m5kd.42-gzip")])),
    ])
    func entityTagsAreRead(_ value: String, as expected: EntityTagCondition) {
        #expect(EntityTagCondition(value) == expected)
        #expect(EntityTagCondition(value, lenient: true) == expected)
    }

    @Test(arguments: [
        "", " ", ",", "\"a", "a\"", "\"a b\"", "\"a\"b\"", "\"a\" \"b\"", "\"a\"\"b\"", "w/\"a\"",
        "*, \"a\"", "\"a\", *", "**", "*,*", "W/ \"a\"", "W /\"a\"", "W/", "\"a\u{7f}\"",
        "\"a\tb\"",
        "\"a\";x", "W/W/\"a\"", "/\"a\"", "\"a\"W/\"b\"",
    ])
    func entityTagsAreRefused(_ value: String) {
        #expect(EntityTagCondition(value) == nil)
    }

    @Test(arguments: [
        ("a", EntityTagCondition.list([a])), ("W/a", .list([weakA])), ("a, \"b\"", .list([a, b])),
        ("a ,b", .list([a, b])), ("q7x2m5kd.42", .list([EntityTag("q7x2m5kd.42")])),
        ("W", .list([EntityTag("W")])), ("w/a", .list([EntityTag("w/a")])),
    ])
    func entityTagsAreReadWithoutQuotes(_ value: String, as expected: EntityTagCondition) {
        #expect(EntityTagCondition(value, lenient: true) == expected)
        #expect(EntityTagCondition(value) == nil)
    }

    @Test(arguments: [
        "", ",", "a b", "a\"", "\"a", "a\"b\"", "*a", "a*", "*, a", "a, *", "W/", "W/,a",
    ])
    func entityTagsAreRefusedEvenWithoutQuotes(_ value: String) {
        #expect(EntityTagCondition(value, lenient: true) == nil)
    }

    /// The table of RFC 9110 §8.8.3.2.
    @Test func entityTagsCompareStronglyAndWeakly() {
        let one = EntityTag("1")
        let weakOne = EntityTag("1", isWeak: true)
        let weakTwo = EntityTag("2", isWeak: true)
        #expect(!weakOne.stronglyMatches(weakOne))
        #expect(weakOne.weaklyMatches(weakOne))
        #expect(!weakOne.weaklyMatches(weakTwo))
        #expect(!weakOne.stronglyMatches(one))
        #expect(!one.stronglyMatches(weakOne))
        #expect(weakOne.weaklyMatches(one))
        #expect(one.stronglyMatches(one))
        #expect(one.weaklyMatches(one))
    }

    @Test func entityTagsCompareByTheirBytes() {
        let composed = EntityTag("\u{e9}")
        let decomposed = EntityTag("e\u{301}")
        #expect(composed != decomposed)
        #expect(!composed.weaklyMatches(decomposed))
        #expect(Set([composed, decomposed, composed]).count == 2)
    }

    @Test func entityTagsAreFoundInAList() {
        let list = EntityTagCondition.list([Self.b, Self.weakA])
        #expect(list.names(Self.a, isStrong: false))
        #expect(!list.names(Self.a, isStrong: true))
        #expect(list.names(Self.b, isStrong: true))
        #expect(!list.names(EntityTag("c"), isStrong: false))
        #expect(!list.names(nil, isStrong: false))
        #expect(EntityTagCondition.any.names(Self.a, isStrong: false))
        #expect(EntityTagCondition.any.names(nil, isStrong: true))
    }

    @Test func entityTagsAreWrittenAsTheyAreRead() {
        #expect(Self.a.description == "\"a\"")
        #expect(Self.weakA.description == "W/\"a\"")
    }
}
