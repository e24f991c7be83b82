/// `/proc/self/mounts` (proc_pid_mounts(5)): the file systems of the machine.
struct MountTable: Equatable {
    struct Mount: Equatable {
        var device: String
        var folder: String
        var kind: String
    }

    /// The mounts that keep files on a device, each device once, where it was mounted first.
    var disks: [Mount] = []

    init(parsing text: String) {
        var seen: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map { MountTable.unescaped($0) }
            guard words.count >= 3 else { continue }
            let mount = Mount(device: words[0], folder: words[1], kind: words[2])
            let isOnDevice = mount.device.hasPrefix("/") && mount.kind != "squashfs"
            guard isOnDevice || mount.folder == "/", seen.insert(mount.device).inserted else {
                continue
            }
            disks.append(mount)
        }
    }

    /// Returns a word with escapes such as `\040` resolved: white space and backslashes stand in
    /// octal in the file (getmntent(3)).
    private static func unescaped(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
