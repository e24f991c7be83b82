import Foundation

/// The files that are installed beside the command, in share/freshet.
enum InstalledFiles {
    /// A folder or file of these, which need not be there.
    ///
    /// - Parameters:
    ///   - name: Its name below share/freshet.
    ///   - executable: The command's file.
    static func place(_ name: String, _ executable: URL? = Bundle.main.executableURL) -> URL? {
        executable?.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("share/freshet/\(name)")
    }
}
