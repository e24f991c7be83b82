/// Why a publish was refused: the feeds would take more memory than they may, though no past
/// version were kept.
package struct MemoryShortage: Error, Equatable {
    /// Bytes that the current versions would take, this one among them.
    package let byteCount: Int

    /// Bytes that they may take.
    package let byteLimit: Int
}
