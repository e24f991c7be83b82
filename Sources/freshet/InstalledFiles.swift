import Foundation

/// The files that are installed beside the command, in share/freshet.
enum InstalledFiles {
    /// Returns the location of a folder or file of the installation, which need not exist.
    ///
    /// - Parameters:
    ///   - name: The name below share/freshet.
    ///   - executable: The command's file.
    static func place(_ name: String, _ executable: URL? = Bundle.main.executableURL) -> URL? {
        executable?.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("share/freshet/\(name)")
    }
}
