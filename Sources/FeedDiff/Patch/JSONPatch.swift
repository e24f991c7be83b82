package import FeedModel

/// A JSON Patch (RFC 6902).
package struct JSONPatch: Sendable {
    package enum Failure: Error, Equatable {
        /// The document is no valid patch.
        case malformed(DocumentError)
        /// The operation at `index`, from 0, failed.
        case failed(index: Int, reason: String)
        /// The operations before `index` have used up the work that a patch may cause.
        case tooMuchWork(index: Int)
        /// The operation at `index` concerns so much of the feed that more than `byteLimit` bytes
        /// would have to be parsed.
        case tooMuchRead(index: Int, byteLimit: Int)
    }

    /// The most steps that all operations together may take, about a second.
    ///
    /// Without the limit, many operations at the start of a long list would take hours.
    static let workLimit = 1 << 27

    /// The most nested objects and arrays in the result of a patch; more than any feed may have.
    static let depthLimit = 80

    /// The approximate limit of the bytes that all `copy` operations together may copy.
    ///
    /// Without the limit, copies of copies would double a document with every operation.
    static let copiedByteLimit = 32 << 20

    private let operations: [JSONPatchOperation]

    /// Parses a patch: an array of operations.
    package init(parsing bytes: [UInt8]) throws(Failure) {
        do throws(DocumentError) {
            let list = try JSONValue(parsing: bytes).array(at: "")
            var operations: [JSONPatchOperation] = []
            for (index, value) in list.enumerated() {
                operations.append(try JSONPatchOperation(value, path: "[\(index)]"))
            }
            self.operations = operations
        } catch {
            throw .malformed(error)
        }
    }

    /// Returns the feed after all operations, like ``applied(to:)`` on the tree of its document,
    /// but without parsing the parts that no operation touches.
    ///
    /// - Parameter byteLimit: The most bytes of the feed that may be parsed.
    /// - Returns: `nil` if the whole document must be parsed, and it is within the limit.
    package func applied(
        to snapshot: Snapshot,
        byteLimit: Int = .max
    ) throws(Failure) -> Snapshot? {
        var patch = SnapshotPatch(snapshot, byteLimit: byteLimit)
        var copiedByteCount = 0
        for (index, operation) in operations.enumerated() {
            do throws(PatchFailure) {
                try operation.apply(to: &patch, copiedByteCount: &copiedByteCount)
            } catch {
                guard case .fault(let reason) = error else {
                    if snapshot.itemByteCount <= byteLimit { return nil }
                    throw .tooMuchRead(index: index, byteLimit: byteLimit)
                }
                throw .failed(index: index, reason: reason)
            }
        }
        return patch.snapshot
    }

    /// Returns the document after all operations in order; if one fails, the whole patch fails.
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
            do throws(PatchFailure) {
                try operation.apply(to: &patch, copiedByteCount: &copiedByteCount)
            } catch {
                guard case .fault(let reason) = error else {
                    preconditionFailure("a document that needs a document")
                }
                throw .failed(index: index, reason: reason)
            }
        }
        return patch.document
    }
}
