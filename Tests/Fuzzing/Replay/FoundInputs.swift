import Foundation
import FuzzTargets
import Testing

/// What fuzzing came upon goes through the same checks with every test run.
@Suite struct FoundInputs {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpora")

    @Test(arguments: FuzzTarget.allCases)
    func foundInputsHoldNoSurprise(_ target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        #expect(!files.isEmpty)
        for file in files {
            let input = try Data(contentsOf: file)
            #expect(throws: Never.self, "\(file.lastPathComponent)") {
                try target.run(Array(input))
            }
        }
    }
}
