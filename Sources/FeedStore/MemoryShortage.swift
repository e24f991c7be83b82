/// The reason why a publish was refused: the feeds would exceed the memory limit even without past
/// versions.
package struct MemoryShortage: Error, Equatable {
    /// The bytes that the current versions would take, including the new one.
    package let byteCount: Int

    /// The most bytes that they may take.
    package let byteLimit: Int
}
