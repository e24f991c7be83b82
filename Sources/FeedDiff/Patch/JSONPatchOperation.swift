import FeedModel

/// An operation of a JSON Patch (RFC 6902 §4).
struct JSONPatchOperation: Sendable {
    private enum Action: Sendable {
        case add(JSONValue)
        case remove
        case replace(JSONValue)
        case move(from: JSONPointer)
        case copy(from: JSONPointer)
        case test(JSONValue)
    }

    private let action: Action
    private let path: JSONPointer
}

extension JSONPatchOperation {
    /// Parses the operation at `path`; members that have no meaning for it are ignored.
    init(_ value: JSONValue, path: String) throws(DocumentError) {
        _ = try value.object(at: path)
        let name = try value.string("op", at: path)
        switch name {
        case "add": action = .add(try value.needed("value", at: path))
        case "remove": action = .remove
        case "replace": action = .replace(try value.needed("value", at: path))
        case "move": action = .move(from: try value.pointer("from", at: path))
        case "copy": action = .copy(from: try value.pointer("from", at: path))
        case "test": action = .test(try value.needed("value", at: path))
        default:
            let all = "add, remove, replace, move, copy and test"
            let reason = "“\(name)” is no operation; there are \(all)"
            throw DocumentError(kind: .malformed, path: "\(path).op", reason: reason)
        }
        self.path = try value.pointer("path", at: path)
    }
}

extension JSONValue {
    /// Returns a member that is a pointer.
    fileprivate func pointer(
        _ name: ExactString,
        at path: String
    ) throws(DocumentError) -> JSONPointer {
        guard let pointer = JSONPointer(try string(name, at: path).string) else {
            let reason = "is no JSON pointer (RFC 6901)"
            throw DocumentError(kind: .malformed, path: "\(path).\(name)", reason: reason)
        }
        return pointer
    }
}

extension JSONPatchOperation {
    /// Applies the operation to a target; if it throws, the target must not be used any more.
    ///
    /// The weight of copied values is added to `copiedByteCount`.
    func apply(to target: inout some PatchTarget, copiedByteCount: inout Int) throws(PatchFailure) {
        switch action {
        case .add(let value):
            try checkDepth(of: value)
            try target.put(value, at: path)
        case .remove: try target.remove(at: path)
        case .replace(let value):
            try checkDepth(of: value)
            try target.replace(value, at: path)
        case .move(let from): try move(from, in: &target)
        case .copy(let from):
            let value = try target.value(at: from)
            try Self.count(value, in: &copiedByteCount)
            try checkDepth(of: value)
            try target.put(value, at: path)
        case .test(let value):
            guard try target.value(at: path) == value else {
                throw .fault("“\(path.text)” has another value")
            }
        }
    }

    private func move(_ from: JSONPointer, in target: inout some PatchTarget) throws(PatchFailure) {
        if from.tokens == path.tokens {
            _ = try target.value(at: from)
        } else if from.contains(path) {
            throw .fault("“\(from.text)” cannot move into itself, to “\(path.text)”")
        } else if try !target.moveWhole(from: from, to: path) {
            let value = try target.value(at: from)
            try target.remove(at: from)
            // A value that is moved no deeper need not be checked.
            if path.tokens.count > from.tokens.count { try checkDepth(of: value) }
            try target.put(value, at: path)
        }
    }

    /// Adds the weight of a copied value.
    private static func count(
        _ value: JSONValue,
        in copiedByteCount: inout Int
    ) throws(PatchFailure) {
        copiedByteCount += value.weight
        guard copiedByteCount <= JSONPatch.copiedByteLimit else {
            throw .fault("copies more than \(JSONPatch.copiedByteLimit) bytes in all")
        }
    }

    private func checkDepth(of value: JSONValue) throws(PatchFailure) {
        guard path.tokens.count + value.nesting <= JSONPatch.depthLimit else {
            throw .fault("“\(path.text)” would be nested deeper than \(JSONPatch.depthLimit)")
        }
    }
}

extension JSONPatchOperation {
    /// Returns the approximate number of steps that the operation takes, each of some nanoseconds.
    func work(in document: JSONValue) -> Int {
        switch action {
        case .add, .remove, .replace, .test: return document.work(along: path)
        case .copy(let from): return document.work(along: path) + document.work(along: from)
        case .move(let from):
            let work = document.work(along: path) + document.work(along: from)
            // A value that is moved deeper is checked as a whole.
            guard path.tokens.count > from.tokens.count,
                let value = try? document.value(at: from)
            else { return work }
            return work + value.valueCount
        }
    }
}
