/// A kind of publish with a single change.
struct OneChange: Sendable {
    /// The shape of the feed to change.
    enum Shape: String, CaseIterable, Sendable {
        /// All items in one section.
        case plain
        /// Ten items in each section.
        case parts
        /// Two sections, half of the items in each.
        case halves
        /// Sorted and grouped by the server, by the members `title`.
        case collated
    }

    let name: String
    let shape: Shape
    var type = "application/json"
    /// Whether a publish of the whole feed has to undo the change.
    var isOnce = false
    /// The body of the request, by the number of items and a number that grows from request to
    /// request.
    let body: @Sendable (_ count: Int, _ number: Int) -> String
}

extension OneChange {
    /// All kinds to measure; items that one kind inserts are removed by the next.
    static let all = items + sections + patches + collated

    private static func edit(
        _ name: String,
        _ shape: Shape,
        isOnce: Bool = false,
        _ edit: @escaping @Sendable (_ count: Int, _ number: Int) -> String
    ) -> OneChange {
        OneChange(name: name, shape: shape, isOnce: isOnce) { count, number in
            #"{"edits":[\#(edit(count, number))]}"#
        }
    }

    private static func patch(
        _ name: String,
        _ shape: Shape,
        _ operation: @escaping @Sendable (_ count: Int, _ number: Int) -> String
    ) -> OneChange {
        OneChange(name: name, shape: shape, type: "application/json-patch+json") { count, number in
            "[\(operation(count, number))]"
        }
    }

    /// Returns the number of an item that is there from the start.
    private static func some(_ count: Int, _ number: Int) -> Int { number * 7919 % count }

    private static let items = [
        edit("set", .plain) { #"{"set":{"likes":\#($1)},"item":"\#(some($0, $1))"}"# },
        edit("replace", .plain) { #"{"replace":\#(FeedText.item(some($0, $1), likes: $1))}"# },
        edit("insert", .plain) { #"{"insert":{"id":"n\#($1)"},"before":"\#(some($0, $1))"}"# },
        edit("remove", .plain) { #"{"remove":"n\#($1)"}"# },
        edit("move", .plain) {
            #"{"move":"\#(some($0, $1))","after":"\#(some($0, $1 * 31 + 1))"}"#
        },
    ]

    private static let sections = [
        edit("insertSection, 10 items", .parts) { _, number in
            let items = (0..<10).map { #"{"id":"n\#(number)-\#($0)"}"# }.joined(separator: ",")
            return #"{"insertSection":{"id":"p\#(number)","items":[\#(items)]}}"#
        },
        edit("setSection", .parts) {
            #"{"setSection":{"v":\#($1)},"section":"s\#(some($0 / 10, $1))"}"#
        },
        edit("moveSection", .parts) {
            #"{"moveSection":"s\#(some($0 / 10, $1))","after":"s\#(some($0 / 10, $1 * 31 + 1))"}"#
        },
        edit("removeSection, 10 items", .parts) { #"{"removeSection":"p\#($1)"}"# },
        edit("removeSection, half of the feed", .halves, isOnce: true) { _, _ in
            #"{"removeSection":"s1"}"#
        },
    ]

    private static let patches = [
        patch("replace of a member", .plain) {
            #"{"op":"replace","path":"/sections/0/items/\#(some($0, $1))/likes","value":\#($1)}"#
        },
        patch("add", .plain) {
            #"{"op":"add","path":"/sections/0/items/\#(some($0, $1))","value":{"id":"q\#($1)"}}"#
        },
        patch("move", .plain) {
            let from = "/sections/0/items/\(some($0, $1))"
            return
                #"{"op":"move","from":"\#(from)","path":"/sections/0/items/\#(some($0, $1 * 31))"}"#
        },
        patch("remove", .plain) { #"{"op":"remove","path":"/sections/0/items/\#(some($0, $1))"}"# },
        patch("move of a section", .parts) {
            let (from, to) = (some($0 / 10, $1), some($0 / 10, $1 * 31))
            return #"{"op":"move","from":"/sections/\#(from)","path":"/sections/\#(to)"}"#
        },
    ]

    private static let collated = [
        edit("set of what it goes by", .collated) {
            let title = "\(Character(UnicodeScalar(65 + UInt8($1 % 26))))\($1)"
            return #"{"set":{"title":"\#(title)"},"item":"\#(some($0, $1))"}"#
        },
        edit("insert", .collated) { #"{"insert":{"id":"n\#($1)","title":"Name \#($1)"}}"# },
        edit("remove", .collated) { #"{"remove":"n\#($1)"}"# },
        patch("replace of a member", .collated) {
            #"{"op":"replace","path":"/sections/0/items/0/likes","value":\#($0 + $1)}"#
        },
    ]
}
