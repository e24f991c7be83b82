import FeedModel

/// One operation of a patch (RFC 6902 §4).
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
    /// Reads an operation, which stands at `path`; members that mean nothing to it are ignored.
    init(_ value: JSONValue, path: String) throws(DocumentError) {
        guard case .object(let entries) = value else {
            throw DocumentError(
                kind: .malformed,
                path: path,
                reason: "expected an operation, an object"
            )
        }
        let members = Members(entries: entries, path: path)
        let name = try members.string("op")
        switch name {
        case "add": action = .add(try members.value("value"))
        case "remove": action = .remove
        case "replace": action = .replace(try members.value("value"))
        case "move": action = .move(from: try members.pointer("from"))
        case "copy": action = .copy(from: try members.pointer("from"))
        case "test": action = .test(try members.value("value"))
        default: throw members.error(in: "op", "“\(name)” is no operation")
        }
        self.path = try members.pointer("path")
    }

    /// The members of an operation's object.
    private struct Members {
        let entries: [JSONValue.Entry]
        let path: String

        func error(in name: ExactString, _ reason: String) -> DocumentError {
            DocumentError(kind: .malformed, path: "\(path).\(name)", reason: reason)
        }

        func value(_ name: ExactString) throws(DocumentError) -> JSONValue {
            guard let position = entries.position(of: name) else {
                throw error(in: name, "is missing")
            }
            return entries[position].value
        }

        func string(_ name: ExactString) throws(DocumentError) -> ExactString {
            guard case .string(let text) = try value(name) else {
                throw error(in: name, "expected a string")
            }
            return text
        }

        func pointer(_ name: ExactString) throws(DocumentError) -> JSONPointer {
            guard let pointer = JSONPointer(try string(name).string) else {
                throw error(in: name, "is no JSON pointer (RFC 6901)")
            }
            return pointer
        }
    }
}

extension JSONPatchOperation {
    /// Applies this; when it throws, the document is of no more use.
    ///
    /// What it copies is added to `copiedByteCount`.
    func apply(
        to document: inout JSONValue,
        copiedByteCount: inout Int
    ) throws(JSONPointerFault) {
        switch action {
        case .add(let value): try add(value, to: &document)
        case .remove: _ = try Self.remove(path, from: &document)
        case .replace(let value):
            try checkDepth(of: value)
            try Self.naming(path) { () throws(JSONPointerFault) in
                try document.change(at: path.tokens[...]) { $0 = value }
            }
        case .move(let from): try move(from, in: &document)
        case .copy(let from):
            let value = try Self.value(at: from, in: document)
            try Self.count(value, in: &copiedByteCount)
            try add(value, to: &document)
        case .test(let value):
            guard try Self.value(at: path, in: document) == value else { throw otherValue }
        }
    }

    /// About how many steps this takes, each of some nanoseconds.
    func work(in document: JSONValue) -> Int {
        switch action {
        case .add, .remove, .replace, .test: return document.work(along: path)
        case .copy(let from): return document.work(along: path) + document.work(along: from)
        case .move(let from):
            let work = document.work(along: path) + document.work(along: from)
            // What goes deeper is walked through.
            guard path.tokens.count > from.tokens.count,
                let value = try? document.value(at: from)
            else { return work }
            return work + value.valueCount
        }
    }

    private var otherValue: JSONPointerFault {
        JSONPointerFault(reason: "“\(path.text)” has another value")
    }

    private func moveIntoItself(_ from: JSONPointer) -> JSONPointerFault {
        JSONPointerFault(reason: "“\(from.text)” cannot move into itself, to “\(path.text)”")
    }

    /// Counts what is copied.
    private static func count(
        _ value: JSONValue,
        in copiedByteCount: inout Int
    ) throws(JSONPointerFault) {
        copiedByteCount += value.weight
        guard copiedByteCount <= JSONPatch.copiedByteLimit else {
            throw JSONPointerFault(
                reason: "copies more than \(JSONPatch.copiedByteLimit) bytes in all"
            )
        }
    }

    private func add(
        _ value: JSONValue,
        to document: inout JSONValue
    ) throws(JSONPointerFault) {
        try checkDepth(of: value)
        try put(value, in: &document)
    }

    private func put(
        _ value: JSONValue,
        in document: inout JSONValue
    ) throws(JSONPointerFault) {
        guard let last = path.tokens.last else {
            document = value
            return
        }
        try Self.naming(path) { () throws(JSONPointerFault) in
            try document.change(at: path.tokens.dropLast()) { parent throws(JSONPointerFault) in
                try parent.insert(value, at: last)
            }
        }
    }

    private func move(
        _ from: JSONPointer,
        in document: inout JSONValue
    ) throws(JSONPointerFault) {
        if from.tokens == path.tokens {
            _ = try Self.value(at: from, in: document)
        } else if from.contains(path) {
            throw moveIntoItself(from)
        } else {
            let value = try Self.remove(from, from: &document)
            // What goes no deeper than it was need not be walked through.
            if path.tokens.count > from.tokens.count { try checkDepth(of: value) }
            try put(value, in: &document)
        }
    }

    private static func value(
        at pointer: JSONPointer,
        in document: JSONValue
    ) throws(JSONPointerFault) -> JSONValue {
        try naming(pointer) { () throws(JSONPointerFault) in try document.value(at: pointer) }
    }

    private static func remove(
        _ pointer: JSONPointer,
        from document: inout JSONValue
    ) throws(JSONPointerFault) -> JSONValue {
        guard let last = pointer.tokens.last else {
            throw JSONPointerFault(reason: "the whole document cannot be taken away")
        }
        return try naming(pointer) { () throws(JSONPointerFault) in
            try document.change(at: pointer.tokens.dropLast()) {
                parent throws(JSONPointerFault) in
                try parent.remove(at: last)
            }
        }
    }

    private func checkDepth(of value: JSONValue) throws(JSONPointerFault) {
        guard path.tokens.count + value.nesting <= JSONPatch.depthLimit else {
            throw JSONPointerFault(
                reason: "“\(path.text)” would be nested deeper than \(JSONPatch.depthLimit)"
            )
        }
    }

    /// Puts the pointer before the reason of an error.
    private static func naming<Result>(
        _ pointer: JSONPointer,
        _ body: () throws(JSONPointerFault) -> Result
    ) throws(JSONPointerFault) -> Result {
        do throws(JSONPointerFault) {
            return try body()
        } catch {
            throw error.named(pointer)
        }
    }
}

extension JSONPatchOperation {
    /// Applies this to a feed that is not taken apart; when it throws, that is of no more use.
    func apply(
        to patch: inout SnapshotPatch,
        copiedByteCount: inout Int
    ) throws(SnapshotPatch.Stop) {
        switch action {
        case .add(let value):
            try orFault { () throws(JSONPointerFault) in try checkDepth(of: value) }
            try patch.put(value, at: path)
        case .remove: try patch.discard(at: path)
        case .replace(let value):
            try orFault { () throws(JSONPointerFault) in try checkDepth(of: value) }
            try patch.replace(value, at: path)
        case .move(let from): try move(from, in: &patch)
        case .copy(let from):
            let value = try patch.value(at: from)
            try orFault { () throws(JSONPointerFault) in
                try Self.count(value, in: &copiedByteCount)
                try checkDepth(of: value)
            }
            try patch.put(value, at: path)
        case .test(let value):
            guard try patch.value(at: path) == value else { throw .fault(otherValue) }
        }
    }

    private func move(
        _ from: JSONPointer,
        in patch: inout SnapshotPatch
    ) throws(SnapshotPatch.Stop) {
        if from.tokens == path.tokens {
            _ = try patch.value(at: from)
        } else if from.contains(path) {
            throw .fault(moveIntoItself(from))
        } else if try !patch.moveWhole(from: from, to: path) {
            let value = try patch.remove(at: from)
            if path.tokens.count > from.tokens.count {
                try orFault { () throws(JSONPointerFault) in try checkDepth(of: value) }
            }
            try patch.put(value, at: path)
        }
    }

    private func orFault(
        _ body: () throws(JSONPointerFault) -> Void
    ) throws(SnapshotPatch.Stop) {
        do throws(JSONPointerFault) { try body() } catch { throw .fault(error) }
    }
}
