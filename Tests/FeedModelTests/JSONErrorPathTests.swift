import TestSupport
import Testing

@testable import FeedModel

@Suite struct PlacesOfErrors {
    @Test(
        arguments: [
            (#""#, "", "expected a value, found the end at byte 0 (line 1)"),
            ("[1,\n x]", "[1]", "expected a value, found “x” at byte 5 (line 2)"),
            (
                #"{"a":{"b":[1,{"c":tru}]}}"#, "a.b[1].c",
                "expected true, found “}” at byte 21 (line 1)"
            ),
            (#"{"odd name":["\q"]}"#, #"["odd name"][0]"#, nil),
            (#"{"a":{"0":"\ud800"}}"#, #"a["0"]"#, "holds half a surrogate pair"),
            (#"{"a":{"x-y_Z9":[[],[{}, {"q":1.}]]}}"#, "a.x-y_Z9[1][1].q", nil),
            (#"{"a":1 "b":2}"#, "", "expected “,” or “}”, found “\"” at byte 7 (line 1)"),
            (#"[[1,2],{"a":1}, 3"#, "", "expected “,” or “]”, found the end at byte 17 (line 1)"),
            (
                #"{"a":{"b":1,}}"#, "a",
                "expected the name of a member, found “}” at byte 12 (line 1)"
            ),
            (#"{"quote\"":{"\u0062":-}}"#, #"["quote\""].b"#, nil),
            ("\u{feff}{}", "", "begins with a byte order mark"),
            ("[\"\u{1}\"]", "[0]", "a control character in a string must be escaped"),
        ] as [(String, String, String?)]
    )
    func placesOfErrorsAreNamed(_ text: String, path: String, reason: String?) {
        let error = #expect(throws: DocumentError.self) {
            try JSONText(parsing: Array(text.utf8))
        }
        #expect(error?.kind == .malformed)
        #expect(error?.path == path)
        if let reason { #expect(error?.reason == reason) }
    }

    @Test(arguments: UInt64(0)..<20)
    func aPathLeadsBackToItsValue(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        for _ in 0..<10 {
            let value = random.value()
            let bytes = Array(random.spelling(of: value).utf8)[...]
            for _ in 0..<20 {
                let offset = random.number(below: bytes.count)
                // An empty array has no path for what is in it.
                if " \t\n\r]".utf8.contains(bytes[offset]) { continue }
                let path = JSONPath(of: offset, in: bytes)
                #expect(JSONPath(text: path.text).steps == path.steps)
                let found = JSONPath(following: path, in: bytes)
                #expect(found.steps == path.steps)
                #expect(JSONPath(of: found.start, in: bytes).steps == path.steps)
            }
        }
    }
}
