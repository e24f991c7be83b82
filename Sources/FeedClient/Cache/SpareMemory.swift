#if canImport(CLinux)
import CLinux
#endif

/// Memory that reading a long document took, and left behind.
enum SpareMemory {
    /// Gives it back to the system soon, when the document is gone too: glibc by itself keeps what
    /// is not at the end of its heap.
    ///
    /// - Parameter byteCount: The length of the document; a short one is not worth it.
    static func giveBack(after byteCount: Int) {
        #if canImport(CLinux)
        guard byteCount >= 1 << 20 else { return }
        Task.detached(priority: .utility) {
            try? await Task.sleep(for: .milliseconds(200))
            freshet_returnMemory()
        }
        #endif
    }
}
