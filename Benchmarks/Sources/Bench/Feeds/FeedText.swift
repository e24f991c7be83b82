/// Makes documents of invented feeds.
enum FeedText {
    /// Returns a feed of items of 160 bytes.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - likes: A number that each item has.
    /// - Returns: The body of a `PUT`.
    static func document(
        _ count: Int,
        likes: (_ index: Int) -> Int = { _ in 0 }
    ) -> [UInt8] {
        var text = Array(#"{"title":"Bench","items":["#.utf8)
        text.reserveCapacity(count * 165)
        for index in 0..<count {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += item(index, likes: likes(index)).utf8
        }
        text += "]}".utf8
        return text
    }

    /// Returns a feed of items of 160 bytes in sections of equal length, or with other members of
    /// its own.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - sections: The number of sections, `s0`, `s1` and so on; 0: one section without a name.
    ///   - members: The feed's own members, as JSON.
    /// - Returns: The body of a `PUT`.
    static func document(
        _ count: Int,
        sections: Int = 0,
        members: String = #""title":"Bench""#
    ) -> [UInt8] {
        var text = Array("{\(members),".utf8)
        text.reserveCapacity(count * 165 + sections * 32)
        text += (sections == 0 ? #""items":["# : #""sections":["#).utf8
        let length = sections == 0 ? count : count / sections
        for index in 0..<count {
            let isFirst = index % length == 0
            if index > 0 { text += (sections > 0 && isFirst ? "]}," : ",").utf8 }
            if sections > 0, isFirst { text += #"{"id":"s\#(index / length)","items":["#.utf8 }
            text += item(index, likes: 0).utf8
        }
        text += (sections == 0 ? "]}" : "]}]}").utf8
        return text
    }

    /// Returns an item whose id is its number.
    static func item(_ index: Int, likes: Int) -> String {
        let number = String(index)
        let filling = String(repeating: "x", count: max(0, 14 - 2 * number.utf8.count))
        return #"{"id":"\#(number)","title":"Item number \#(number)","text":"As many words as "#
            + #"a row of a list shows, and a few more, so that there is some text \#(filling)","#
            + #""likes":\#(likes)}"#
    }

    /// Returns the body of a request that changes some items.
    static func edits(_ items: some Sequence<Int>, likes: Int) -> [UInt8] {
        let edits = items.map { #"{"set":{"likes":\#(likes)},"item":"\#($0)"}"# }
        return Array(#"{"edits":[\#(edits.joined(separator: ","))]}"#.utf8)
    }
}
