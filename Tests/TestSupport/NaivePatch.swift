import FeedModel

/// RFC 6902.
package enum NaivePatch {
    package struct Failure: Error {}

    package static func apply(_ patch: TestJSON, to document: TestJSON) throws -> TestJSON {
        var document = document
        for operation in patch.list {
            let path = try pointer(operation["path"])
            switch operation["op"]?.string {
            case "add":
                try set(&document, path, operation["value"])
            case "replace":
                _ = try take(&document, path)
                try set(&document, path, operation["value"])
            case "remove":
                _ = try take(&document, path)
            case "move":
                let value = try take(&document, pointer(operation["from"]))
                try set(&document, path, value)
            case "copy":
                var copy = document
                try set(&document, path, take(&copy, pointer(operation["from"])))
            case "test":
                var copy = document
                guard try take(&copy, path) == operation["value"] else { throw Failure() }
            default: throw Failure()
            }
        }
        return document
    }

    /// The tokens of a JSON Pointer (RFC 6901).
    private static func pointer(_ value: TestJSON?) throws -> [ExactString] {
        guard let text = value?.string else { throw Failure() }
        return text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            ExactString(String($0).replacing("~1", with: "/").replacing("~0", with: "~"))
        }
    }

    /// Takes a value out; the document as a whole stays, for it can only be replaced.
    private static func take(_ value: inout TestJSON, _ path: [ExactString]) throws -> TestJSON {
        guard let first = path.first else { return value }
        let rest = Array(path.dropFirst())
        switch value {
        case .object(var members):
            guard var member = members[first] else { throw Failure() }
            let taken = try take(&member, rest)
            members[first] = rest.isEmpty ? nil : member
            value = .object(members)
            return taken
        case .array(var values):
            guard let index = Int(first.string), values.indices.contains(index) else {
                throw Failure()
            }
            let taken = try take(&values[index], rest)
            if rest.isEmpty { values.remove(at: index) }
            value = .array(values)
            return taken
        default: throw Failure()
        }
    }

    private static func set(
        _ value: inout TestJSON,
        _ path: [ExactString],
        _ new: TestJSON?
    ) throws {
        guard let new else { throw Failure() }
        guard let first = path.first else {
            value = new
            return
        }
        let rest = Array(path.dropFirst())
        switch value {
        case .object(var members):
            guard !rest.isEmpty else {
                members[first] = new
                value = .object(members)
                return
            }
            guard var member = members[first] else { throw Failure() }
            try set(&member, rest, new)
            members[first] = member
            value = .object(members)
        case .array(var values):
            let place = first == "-" ? values.count : Int(first.string)
            guard let index = place, 0...values.count ~= index else { throw Failure() }
            if rest.isEmpty {
                values.insert(new, at: index)
            } else {
                guard index < values.count else { throw Failure() }
                try set(&values[index], rest, new)
            }
            value = .array(values)
        default: throw Failure()
        }
    }
}
