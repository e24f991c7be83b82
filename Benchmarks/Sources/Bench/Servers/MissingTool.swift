/// The error that a program for a measurement is not installed.
struct MissingTool: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, package: String) {
        description = "\(name) is not installed (Debian: apt-get install \(package))"
    }
}
