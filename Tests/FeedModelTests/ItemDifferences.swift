import FeedModel
import Testing

@Suite struct ItemDifferences {
    @Test(
        arguments: [
            (#"{"id":"i","a":1,"b":[1]}"#, #"{"id":"i","a":1,"b":[1,2]}"#, ["b"], []),
            (#"{"id":"i","a":1,"b":2}"#, #"{"b":2,"id":"i","a":3}"#, ["a"], []),
            (#"{"id":"i","a":1,"b":2}"#, #"{"id":"i"}"#, [], ["a", "b"]),
            (#"{"id":"i"}"#, #"{"id":"i","b":2,"a":null}"#, ["b", "a"], []),
            (#"{"id":"i","a":{"x":1,"y":2}}"#, #"{"id":"i","a":{"y":2,"x":1}}"#, [], []),
            (#"{"id":"i","a":"\u00e9"}"#, #"{"id":"i","a":"é"}"#, [], []),
            (#"{"id":"i","\u0061":1,"b":1}"#, #"{"id":"i","a":1,"c":1}"#, ["c"], ["b"]),
            (#"{"id":"i","é":1}"#, #"{"id":"i","e\#u{301}":1}"#, ["e\u{301}"], ["é"]),
            (#"{"id":"i","a":1.0}"#, #"{"id":"i","a":1}"#, ["a"], []),
        ] as [(String, String, [ExactString], [ExactString])]
    )
    func nameOnlyWhatDiffers(old: String, new: String, set: [ExactString], unset: [ExactString])
        throws
    {
        let old = try FeedItem(parsing: Array(old.utf8))
        let new = try FeedItem(parsing: Array(new.utf8))
        let edit = new.members.edit(from: old.members)
        #expect(edit.set.map(\.name) == set)
        #expect(edit.unset == unset)
    }

    @Test func ofManyMembersNameOnlyWhatDiffers() throws {
        func members(_ range: Range<Int>, _ value: Int) throws -> Members {
            let members = range.map { #","m\#($0)":\#(value)"# }.joined()
            return try FeedItem(parsing: Array("{\"id\":\"i\"\(members)}".utf8)).members
        }
        let edit = try members(1..<60, 1).edit(from: members(0..<59, 1))
        #expect(edit.set.map(\.name) == ["m59"])
        #expect(edit.unset == ["m0"])
        #expect(try members(0..<59, 1).edit(from: members(0..<59, 2)).set.count == 59)
        #expect(try members(0..<31, 1).edit(from: members(0..<31, 1)).isEmpty)
    }
}
