#if canImport(CLinux)
import CLinux
#endif

/// Returns free memory to the system after a long document was parsed.
enum SpareMemory {
    /// Returns free memory to the system after 200 ms, when the document is freed, too.
    ///
    /// By itself, glibc keeps free memory that is not at the end of its heap.
    ///
    /// - Parameter byteCount: The length of the document; less than 1 MiB is ignored.
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
