import FeedModel
import TestSupport

/// Values.
extension RandomPublisher {
    mutating func newID() -> ExactString {
        lastID += 1
        let forms = ["i\(lastID)", "é\(lastID)", "e\u{301}\(lastID)", "a/b~\(lastID)", "\(lastID)"]
        return ExactString(forms.randomElement(using: &random) ?? "")
    }

    mutating func item(_ id: ExactString) -> TestJSON {
        var members = memberEdit([:])["set"]?.members ?? [:]
        members["id"] = .string(id)
        return .object(members)
    }

    /// Members to set and to take away.
    mutating func memberEdit(_ old: [ExactString: TestJSON]) -> TestJSON {
        let names: [ExactString] = ["a", "b", "c", "title", "~/x"]
        var set: [ExactString: TestJSON] = [:]
        var unset: [TestJSON] = []
        for name in names where Int.random(in: 0..<3, using: &random) == 0 {
            if old[name] != nil, Bool.random(using: &random) {
                unset.append(.string(name))
            } else {
                set[name] = name == "title" ? .string(ExactString(word())) : value(2)
            }
        }
        return ["set": .object(set), "unset": .array(unset)]
    }

    mutating func value(_ depth: Int) -> TestJSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .number(["1", "1.0", "-0", "1e2"].randomElement(using: &random) ?? "")
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .null
        case 3, 4: return .string(ExactString(word()))
        case 5, 6: return .array([value(depth - 1), value(depth - 1)])
        default: return .object(["x": value(depth - 1), "y": value(depth - 1)])
        }
    }

    mutating func word() -> String {
        ["", "x", "\u{e9}", "e\u{301}", "a\"\\\n", "😀", String(repeating: "long ", count: 20)]
            .randomElement(using: &random) ?? ""
    }
}
