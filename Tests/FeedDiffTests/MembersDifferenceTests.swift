import FeedModel
import Testing

@testable import FeedDiff

@Suite struct MembersDifferences {
    private func members(_ json: String) throws -> Members {
        guard case .object(let entries) = try JSONValue(parsing: Array(json.utf8)) else {
            return Members()
        }
        return Members(entries.map { Member(name: $0.name, value: $0.value.text) })
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":[1],"c":3}"#, #"{"c":3,"b":[ 1 ],"d":4,"a":1.0}"#, ["d", "a"], []),
            (#"{"a":1,"b":2}"#, "{}", [], ["a", "b"]), ("{}", #"{"a":null}"#, ["a"], []),
            (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1}}"#, [], []), ("{}", "{}", [], []),
            (#"{"é":1}"#, #"{"e\u0301":1}"#, ["e\u{301}"], ["é"]),
        ] as [(String, String, [ExactString], [ExactString])]
    )
    func nameOnlyWhatDiffers(old: String, new: String, set: [ExactString], unset: [ExactString])
        throws
    {
        let old = try members(old)
        let new = try members(new)
        let edit = new.edit(from: old)
        #expect(edit.set.map(\.name) == set)
        #expect(edit.unset == unset)
        #expect(old.applying(edit) == new)
        #expect((old == new) == edit.isEmpty)
    }
}
