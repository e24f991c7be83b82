// swift-tools-version: 6.3

import PackageDescription

/// The benchmarks, apart from the server's package, so that a build of the server compiles no other
/// servers.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "DifferenceKit", description: "Measure the diff against DifferenceKit, too.")
    ],
    dependencies: [
        // The package has a name here, for the server's folder may have any name.
        .package(name: "freshet", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        // The results name these versions of the other servers, so newer ones are not taken.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/ra1028/DifferenceKit", exact: "1.3.0"),
    ],
    targets: [
        // The program that measures.
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CLoad",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FeedBenchmarks", package: "freshet"),
                .product(
                    name: "DifferenceKit",
                    package: "DifferenceKit",
                    condition: .when(traits: ["DifferenceKit"])
                ),
            ]
        ),
        // The program that measures the cost of the client library in an app.
        .executableTarget(
            name: "ClientWork",
            dependencies: [
                "CHeap",
                .product(name: "FeedClient", package: "freshet"),
                .product(name: "FeedModel", package: "freshet"),
            ]
        ),
        .target(name: "CHeap"),
        .target(
            name: "CLoad",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto"), .linkedLibrary("z")]
        ),

        // The servers that this one is measured against.
        .target(name: "CPeer"),
        .executableTarget(name: "Ceiling", dependencies: ["CPeer"]),
        .executableTarget(name: "BareStream", dependencies: ["CPeer"]),
        .target(name: "RecordedAnswer"),
        .executableTarget(
            name: "HummingbirdPeer",
            dependencies: [
                "RecordedAnswer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "FlyingFoxPeer",
            dependencies: [
                "RecordedAnswer",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

let targetsInC: Set = ["CHeap", "CLoad", "CPeer", "Ceiling", "BareStream"]

for target in package.targets where !targetsInC.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
