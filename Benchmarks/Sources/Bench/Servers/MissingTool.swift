/// A program without which something cannot be measured.
struct MissingTool: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, package: String) {
        description = "\(name) is not installed (Debian: apt-get install \(package))"
    }
}
