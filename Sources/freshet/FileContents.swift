import Glibc

/// Reads files whole, with the words of the system where that fails.
enum FileContents {
    /// Why a file cannot be read.
    struct Failure: Error, Equatable {
        let reason: String
    }

    /// - Parameters:
    ///   - path: Where it is.
    ///   - byteLimit: A longer one is refused.
    ///   - takesPipes: Whether it may be a pipe, whose writer is waited for.
    /// - Returns: All of it.
    static func read(
        _ path: String,
        byteLimit: Int = 64 << 20,
        takesPipes: Bool = false
    ) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (takesPipes ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        if !takesPipes, status.st_mode & S_IFMT == S_IFIFO {
            throw Failure(reason: "it is a pipe, not a file")
        }
        return try read(descriptor, byteLimit: byteLimit)
    }

    /// Whether a path leads to a pipe.
    static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// All that comes from a descriptor, which may have no end, such as that of `/dev/zero`.
    static func read(_ descriptor: CInt, byteLimit: Int) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN, descriptor == STDIN_FILENO {
                    DescriptorWait.untilReady(descriptor, for: CInt(POLLIN))
                    continue
                }
                throw failure()
            }
            if count == 0 { return content }
            content += part[..<count]
            guard content.count <= byteLimit else {
                throw Failure(reason: "it has more than \(ByteCountText.text(byteLimit))")
            }
        }
    }

    private static func failure() -> Failure {
        Failure(reason: String(cString: strerror(errno)))
    }
}
