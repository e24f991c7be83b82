package import FeedModel

/// RFC 6902.
package struct JSONPatch: Sendable {
    package enum Failure: Error, Equatable {
        /// The document is no patch.
        case malformed(DocumentError)
        /// Operation number `index`, from 0, did not apply.
        case failed(index: Int, reason: String)
        /// The operations before number `index` have cost all that a patch may.
        case tooMuchWork(index: Int)
        /// Operation number `index` is about so much of the feed that more bytes would have to be
        /// taken apart than `byteLimit`.
        case tooMuchRead(index: Int, byteLimit: Int)
    }

    /// The most steps that all operations together may take, about a second's: without it, many
    /// operations at the start of a long list would take hours.
    static let workLimit = 1 << 27

    /// The most objects and arrays around each other in what a patch makes; more than any feed
    /// may have.
    static let depthLimit = 80

    /// The most bytes, about, that all `copy` operations together may copy: without it, copies of
    /// copies double a document with every operation.
    static let copiedByteLimit = 32 << 20

    private let operations: [JSONPatchOperation]

    /// Reads a patch: an array of operations.
    package init(parsing bytes: [UInt8]) throws(Failure) {
        do throws(DocumentError) {
            guard case .array(let list) = try JSONValue(parsing: bytes) else {
                throw DocumentError(
                    kind: .malformed,
                    path: "",
                    reason: "expected an array of operations"
                )
            }
            var operations: [JSONPatchOperation] = []
            for (index, value) in list.enumerated() {
                operations.append(try JSONPatchOperation(value, path: "[\(index)]"))
            }
            self.operations = operations
        } catch {
            throw .malformed(error)
        }
    }

    /// The feed after all operations, as ``applied(to:)`` makes it of the tree of its document,
    /// but without a look at what no operation touches.
    ///
    /// - Parameters:
    ///   - snapshot: The feed.
    ///   - byteLimit: The bytes of it that may be taken apart.
    /// - Returns: `nil` where only the whole document can tell what comes of it, and that is within
    ///   the limit.
    package func applied(
        to snapshot: Snapshot,
        byteLimit: Int = .max
    ) throws(Failure) -> Snapshot? {
        var patch = SnapshotPatch(snapshot, byteLimit: byteLimit)
        var copiedByteCount = 0
        for (index, operation) in operations.enumerated() {
            do throws(PatchStop) {
                try operation.apply(to: &patch, copiedByteCount: &copiedByteCount)
            } catch {
                guard case .fault(let fault) = error else {
                    if snapshot.itemByteCount <= byteLimit { return nil }
                    throw .tooMuchRead(index: index, byteLimit: byteLimit)
                }
                throw .failed(index: index, reason: fault.reason)
            }
        }
        return patch.snapshot
    }

    /// The document after all operations; they apply in order, and one that fails fails all.
    package func applied(
        to value: JSONValue,
        workLimit: Int = JSONPatch.workLimit
    ) throws(Failure) -> JSONValue {
        var patch = DocumentPatch(value)
        var work = 0
        var copiedByteCount = 0
        for (index, operation) in operations.enumerated() {
            work += operation.work(in: patch.document)
            guard work <= workLimit else { throw .tooMuchWork(index: index) }
            do throws(PatchStop) {
                try operation.apply(to: &patch, copiedByteCount: &copiedByteCount)
            } catch {
                guard case .fault(let fault) = error else {
                    preconditionFailure("a document that needs a document")
                }
                throw .failed(index: index, reason: fault.reason)
            }
        }
        return patch.document
    }
}
