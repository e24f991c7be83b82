@testable import freshet

extension Environment {
    /// The variables of a server that keeps no feeds in a folder, which tests would share.
    static let inMemory = Environment(["FRESHET_DATA": "memory"])
}
