import FeedModel
import TestSupport

/// Other ways to say the same.
extension RandomPublisher {
    mutating func jsonPatch() -> Request {
        var operations: [TestJSON] = []
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let section = feed.sections.indices.randomElement(using: &random)
            guard let section else {
                operations.append(["op": "add", "path": "/c", "value": "x"])
                feed.members["c"] = "x"
                continue
            }
            operations.append(operation(section))
        }
        return Request(
            method: "PATCH",
            body: TestJSON.array(operations).serialized,
            type: "application/json-patch+json"
        )
    }

    private mutating func operation(_ section: Int) -> TestJSON {
        let path = "/sections/\(section)/items/"
        let items = feed.sections[section].items
        guard let index = items.indices.randomElement(using: &random) else {
            let item = item(newID())
            feed.sections[section].items.append(item)
            return .object(["op": "add", "path": .string(ExactString(path + "-")), "value": item])
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            feed.sections[section].items.remove(at: index)
            return ["op": "remove", "path": .string(ExactString(path + "\(index)"))]
        case 1:
            let item = item(newID())
            feed.sections[section].items.insert(item, at: index)
            return .object([
                "op": "add", "path": .string(ExactString(path + "\(index)")), "value": item,
            ])
        case 2:
            let target = feed.sections.indices.randomElement(using: &random) ?? 0
            let item = feed.sections[section].items.remove(at: index)
            feed.sections[target].items.insert(item, at: 0)
            return [
                "op": "move", "from": .string(ExactString(path + "\(index)")),
                "path": .string(ExactString("/sections/\(target)/items/0")),
            ]
        default:
            let value = value(1)
            var members = items[index].members
            members["~/x"] = value
            feed.sections[section].items[index] = .object(members)
            return .object([
                "op": "add", "path": .string(ExactString(path + "\(index)/~0~1x")), "value": value,
            ])
        }
    }

    mutating func single() -> Request {
        guard let id = feed.itemIDs.randomElement(using: &random),
            let (section, index) = feed.position(of: id)
        else { return whole() }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let item = item(newID())
            feed.sections[section].items.insert(item, at: index)
            return Request(
                method: "POST",
                path: "/items?before=\(encoded(id))",
                body: item.serialized
            )
        case 1:
            let item = item(id)
            feed.sections[section].items[index] = item
            return Request(method: "PUT", path: "/items/\(encoded(id))", body: item.serialized)
        case 2:
            feed.sections[section].items.remove(at: index)
            return Request(method: "DELETE", path: "/items/\(encoded(id))")
        default:
            var members = feed.sections[section].items[index].members
            members["a"] = nil
            members["b"] = "merged"
            feed.sections[section].items[index] = .object(members)
            return Request(
                method: "PATCH",
                path: "/items/\(encoded(id))",
                body: #"{"b":"merged","a":null}"#,
                type: "application/merge-patch+json"
            )
        }
    }

    private func encoded(_ id: ExactString) -> String {
        id.string.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
