/// What a layer above keeps beside a version, such as answers made of it.
package protocol VersionAttachment: AnyObject, Sendable {
    /// About the bytes of memory that it takes; their changes are told to ``ByteCounter``.
    var byteCount: Int { get }

    /// Gives up what it keeps, which may be made again.
    ///
    /// Called under no lock.
    func clear()

    /// Gives up what it keeps, for good: its version is no longer current.
    ///
    /// Called under no lock.
    func retire()
}
