/// An object that a layer above keeps with a version, such as answers made from it.
package protocol VersionAttachment: AnyObject, Sendable {
    /// The approximate number of bytes of memory that it takes; changes are reported to
    /// ``ByteCounter``.
    var byteCount: Int { get }

    /// Frees the content, which may be made again.
    ///
    /// It is called under no lock.
    func clear()

    /// Frees the content for good, because its version is no longer current.
    ///
    /// It is called under no lock.
    func retire()
}
