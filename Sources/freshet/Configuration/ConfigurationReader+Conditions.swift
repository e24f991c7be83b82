import FeedSources
import Yams

/// Reads the conditions on the items of a derived feed: the grammar of `where` (docs/OPERATIONS.md,
/// "Derived feeds").
extension ConfigurationReader {
    /// The most levels of conditions inside conditions.
    private static let depthLimit = 16

    private static let tests = ["equal", "contains", "before", "after"]

    /// Reads `where`: members with conditions on them, and `any`, `all` and `not`; all must hold.
    mutating func condition(_ node: Node, _ path: String, depth: Int = 1) -> ItemCondition? {
        guard depth <= ConfigurationReader.depthLimit else {
            report(node.mark, path, "lies more than \(ConfigurationReader.depthLimit) deep")
            return nil
        }
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            report(node.mark, path, "must be conditions, each as \"member: value\"")
            return nil
        }
        var list: [ItemCondition] = []
        for (key, value) in mapping {
            let name = key.scalar?.string ?? ""
            let path = member(path, name)
            switch name {
            case "any":
                if let parts = conditions(value, path, depth) { list.append(.any(parts)) }
            case "all":
                if let parts = conditions(value, path, depth) { list.append(.all(parts)) }
            case "not":
                if let part = condition(value, path, depth: depth + 1) { list.append(.not(part)) }
            default:
                guard let memberPath = MemberPath(name) else {
                    let reason = "must be any, all, not, or \(ConfigurationReader.pathForm)"
                    report(key.mark, path, reason)
                    continue
                }
                list += asked(of: memberPath, value, path)
            }
        }
        return list.count == 1 ? list[0] : .all(list)
    }

    private mutating func conditions(
        _ node: Node,
        _ path: String,
        _ depth: Int
    ) -> [ItemCondition]? {
        guard let list = elements(node, path, of: "conditions") else { return nil }
        if list.isEmpty { report(node.mark, path, "has no condition") }
        return list.compactMap { condition($0, $1, depth: depth + 1) }
    }

    /// Reads the conditions on a member: a value, a list of possible values, or tests.
    private mutating func asked(
        of memberPath: MemberPath,
        _ node: Node,
        _ path: String
    ) -> [ItemCondition] {
        guard case .mapping = node else {
            return values(node, path).map { [.equal(memberPath, $0)] } ?? []
        }
        guard let entries = entries(node, path, known: ConfigurationReader.tests) else { return [] }
        if node.mapping?.isEmpty == true { report(node.mark, path, "asks nothing") }
        var list: [ItemCondition] = []
        for name in ConfigurationReader.tests {
            guard let node = entries[name] else { continue }
            let path = member(path, name)
            switch name {
            case "equal":
                if let values = values(node, path) { list.append(.equal(memberPath, values)) }
            case "contains":
                if let value = scalar(node, path) { list.append(.contains(memberPath, value)) }
            default:
                guard let key = bound(node, path) else { continue }
                list.append(name == "before" ? .before(memberPath, key) : .after(memberPath, key))
            }
        }
        return list
    }

    /// Reads a value, or a list of values.
    private mutating func values(_ node: Node, _ path: String) -> [ItemCondition.Value]? {
        guard node.scalar == nil else { return scalar(node, path).map { [$0] } }
        guard let list = elements(node, path, of: "values") else { return nil }
        if list.isEmpty { report(node.mark, path, "has no value") }
        return list.compactMap { scalar($0, $1) }
    }

    /// Reads a value as YAML's core schema does; a quoted one is a text.
    private mutating func scalar(_ node: Node, _ path: String) -> ItemCondition.Value? {
        guard let scalar = node.scalar else {
            report(node.mark, path, "must be one value")
            return nil
        }
        guard scalar.style == .plain || scalar.style == .any else { return .text(scalar.string) }
        if node.isEmpty { return .nothing }
        switch scalar.string {
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        if let number = DecimalNumber(scalar.string), number.isFinite { return .number(number) }
        return .text(scalar.string)
    }

    /// Reads a time, a number or a text to compare with.
    private mutating func bound(_ node: Node, _ path: String) -> SortKey? {
        switch scalar(node, path) {
        case .number(let number): return .number(number)
        case .text(let text):
            let key = SortKey(text: text)
            // A text that begins so is meant as a date, not as a text to compare with.
            if case .text = key, SortKey.isLikeADay(text) {
                report(node.mark, path, "is no date: \"\(text)\"")
                return nil
            }
            return key
        case .bool, .nothing:
            report(node.mark, path, "must be a time such as 2026-01-31, a number or a text")
            return nil
        case nil: return nil
        }
    }
}
