import FeedFormats
import Foundation
import Glibc
import Platform

/// Reads whole files, and asks the system about them.
enum FileContents {
    /// The reason why a file cannot be read.
    struct Failure: Error, Equatable {
        let reason: String
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - byteLimit: The longest file that is read, in bytes; a longer one is refused.
    ///   - takesPipes: Whether the file may be a pipe; its writer is waited for.
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

    /// Checks that a file has certificates in PEM; libcurl's message would say less.
    static func checkCertificates(_ path: String) throws(Failure) {
        guard String(decoding: try read(path), as: UTF8.self).contains("-----BEGIN ") else {
            throw Failure(reason: "there is no certificate in PEM in it")
        }
    }

    /// Returns the status of the file that a path leads to (stat(2)); `nil` on an error, which
    /// `errno` has.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Returns whether a path leads to a pipe.
    static func isPipe(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFIFO } ?? false
    }

    /// Returns whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// Returns the bytes that this process may still write to the disk of a folder (statvfs(3));
    /// `nil` when the system does not tell.
    static func freeByteCount(_ folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail)) * Int(clamping: UInt64(status.f_frsize))
    }

    /// Returns all bytes that come from a descriptor; throws if there are more than the limit.
    ///
    /// `/dev/zero`, for one, has no end.
    static func read(_ descriptor: CInt, byteLimit: Int) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN, descriptor == STDIN_FILENO {
                    Descriptor.wait(for: [(descriptor, POLLIN)])
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
        Failure(reason: SystemError.words())
    }
}

/// A file named at the prompt, or standard input for `-`.
struct InputFile {
    let path: String

    /// The most bytes that are read; a server takes 32 MiB unless it is configured to take more.
    static let byteLimit = 256 << 20

    /// The file's name in messages, without the password that an address in its place may have.
    var name: String { path == "-" ? "standard input" : WebAddress.shown(path) }

    /// Returns the whole content.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read, or is longer than ``byteLimit``.
    func read() throws(CommandFailure) -> Data {
        do throws(FileContents.Failure) {
            let limit = InputFile.byteLimit
            if path == "-" { return Data(try FileContents.read(STDIN_FILENO, byteLimit: limit)) }
            return Data(try FileContents.read(path, byteLimit: limit, takesPipes: true))
        } catch {
            throw .other("cannot read \(name): \(error.reason)")
        }
    }
}
