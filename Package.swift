// swift-tools-version: 6.3

import PackageDescription

/// The condition for dependencies that only Linux needs: other systems have them built in.
let onLinux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "freshet",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "freshet", targets: ["freshet"]),
        .library(name: "FeedClient", targets: ["FeedClient"]),
        .library(name: "FeedModel", targets: ["FeedModel"]),
        .library(name: "FeedUI", targets: ["FeedUI"]),
        // Only the package in Benchmarks/ uses this.
        .library(name: "FeedBenchmarks", targets: ["FeedBenchmarks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        // System libraries, and functions that Glibc's module leaves out.
        .target(name: "CLinux"),
        // Public/openapi.json, within the binary.
        .target(name: "COpenAPI"),
        .target(
            name: "CPostgres",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),

        // Threads, memory and descriptors of Linux.
        .target(name: "Platform", dependencies: ["CLinux"]),

        // The server, bottom up.
        .target(
            name: "HTTPWire",
            dependencies: [
                "Platform", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(name: "Gzip", dependencies: ["CZlib", "HTTPWire"]),
        .target(
            name: "HTTPServer",
            dependencies: [
                "CLinux", "COpenSSL", "Gzip", "HTTPWire", "Platform",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "HTTPClient",
            dependencies: [
                "CCurl", "CLinux", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(name: "FeedModel"),
        .target(name: "FeedDiff", dependencies: ["FeedModel"]),
        .target(
            name: "FeedCollation",
            dependencies: ["FeedDiff", "FeedModel"],
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]
        ),
        .target(
            name: "FeedFormats",
            dependencies: ["COpenSSL", "FeedDiff", "FeedModel", "Platform"]
        ),
        .target(
            name: "FeedStore",
            dependencies: [
                "FeedDiff", "FeedModel",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(
            name: "FeedJournal",
            dependencies: [
                "CLinux", "CPostgres", "CSQLite", "FeedModel", "FeedStore", "Platform",
            ]
        ),
        .target(
            name: "FeedAPI",
            dependencies: [
                "COpenAPI", "COpenSSL", "FeedCollation", "FeedDiff", "FeedFormats", "FeedModel",
                "FeedStore", "Gzip", "HTTPServer", "HTTPWire", "Platform",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "FeedSources",
            dependencies: [
                "COpenSSL", "FeedAPI", "FeedDiff", "FeedFormats", "FeedModel", "FeedStore",
                "Gzip", "HTTPClient", "HTTPServer", "HTTPWire", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        .target(
            name: "FeedMirror",
            dependencies: [
                "FeedAPI", "FeedDiff", "FeedModel", "FeedStore", "HTTPClient",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // The clients and the command.
        .target(
            name: "FeedClient",
            dependencies: [
                "FeedDiff", "FeedModel", .target(name: "HTTPClient", condition: onLinux),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: onLinux),
            ]
        ),
        .target(name: "FeedUI", dependencies: ["FeedCollation", "FeedModel"]),
        .target(
            name: "TerminalReader",
            dependencies: ["CLinux", "FeedClient", "FeedFormats", "FeedModel", "FeedUI"]
        ),
        // The checks that any server of the protocol can be put to.
        .target(
            name: "FeedConformance",
            dependencies: [
                "FeedModel", "Gzip", "HTTPClient", "HTTPWire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "freshet",
            dependencies: [
                "CLinux", "FeedAPI", "FeedClient", "FeedCollation", "FeedConformance", "FeedDiff",
                "FeedFormats", "FeedJournal", "FeedMirror", "FeedModel", "FeedSources",
                "FeedStore", "Gzip", "HTTPClient", "HTTPServer", "HTTPWire", "Platform",
                "TerminalReader",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),

        // The examples' logic, and the example that runs everywhere; the views of the others need
        // Apple's systems.
        .target(
            name: "Stories",
            dependencies: ["FeedClient", "FeedModel"],
            path: "Examples/Stories/Shared"
        ),
        .executableTarget(
            name: "follow-example",
            dependencies: ["FeedClient", "FeedModel", "Stories"],
            path: "Examples/Follow"
        ),

        // The functions that benchmarks, in a package of their own, could not call otherwise.
        .target(
            name: "FeedBenchmarks",
            dependencies: [
                "FeedAPI", "FeedDiff", "FeedModel", "FeedStore", "HTTPServer", "HTTPWire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Tests, with a folder for each target, and the code that they share.
        .target(
            name: "TestSupport",
            dependencies: [
                "COpenSSL", "CZlib", "FeedDiff", "FeedModel", "HTTPServer", "HTTPWire", "Platform",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "COpenSSL", "FeedModel", "Gzip", "HTTPServer", "HTTPWire", "Platform",
                "TestSupport", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: [
                "CZlib", "HTTPClient", "HTTPServer", "HTTPWire", "Platform", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(name: "FeedModelTests", dependencies: ["FeedModel", "TestSupport"]),
        .testTarget(
            name: "FeedFormatsTests",
            dependencies: ["FeedDiff", "FeedFormats", "FeedModel", "Platform", "TestSupport"]
        ),
        .testTarget(
            name: "FeedDiffTests",
            dependencies: ["FeedDiff", "FeedModel", "TestSupport"]
        ),
        .testTarget(
            name: "FeedCollationTests",
            dependencies: ["FeedCollation", "FeedDiff", "FeedModel", "TestSupport"]
        ),
        .target(
            name: "StoreModel",
            dependencies: ["FeedDiff", "FeedModel", "FeedStore", "TestSupport"],
            path: "Tests/StoreModel"
        ),
        .testTarget(
            name: "FeedStoreTests",
            dependencies: [
                "FeedDiff", "FeedModel", "FeedStore", "StoreModel", "TestSupport",
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .testTarget(
            name: "FeedJournalTests",
            dependencies: [
                "CSQLite", "FeedDiff", "FeedJournal", "FeedModel", "FeedStore", "StoreModel",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "FeedSourcesTests",
            dependencies: [
                "COpenSSL", "CZlib", "FeedAPI", "FeedFormats", "FeedModel", "FeedSources",
                "FeedStore", "HTTPClient", "HTTPServer", "HTTPWire", "Platform", "StoreModel",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "FeedAPITests",
            dependencies: [
                "FeedAPI", "FeedBenchmarks", "FeedDiff", "FeedFormats", "FeedModel", "FeedStore",
                "Gzip", "HTTPServer", "HTTPWire", "Platform", "StoreModel", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "FeedClientTests",
            dependencies: [
                "FeedAPI", "FeedClient", "FeedDiff", "FeedModel", "FeedStore", "HTTPServer",
                "HTTPWire", "Platform", "StoreModel", "Stories", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "FeedMirrorTests",
            dependencies: [
                "FeedAPI", "FeedDiff", "FeedJournal", "FeedMirror", "FeedModel", "FeedStore",
                "HTTPClient", "HTTPServer", "StoreModel", "TestSupport",
            ]
        ),
        .testTarget(
            name: "FeedUITests",
            dependencies: ["FeedCollation", "FeedModel", "FeedUI", "TestSupport"]
        ),
        .testTarget(
            name: "TerminalReaderTests",
            dependencies: [
                "FeedClient", "FeedDiff", "FeedFormats", "FeedModel", "FeedUI", "TerminalReader",
            ]
        ),
        .testTarget(
            name: "freshetTests",
            dependencies: [
                "FeedAPI", "FeedClient", "FeedConformance", "FeedJournal", "FeedModel",
                "FeedSources", "FeedStore", "freshet", "HTTPClient", "HTTPServer", "HTTPWire",
                "Platform", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["FeedAPI", "Gzip", "HTTPServer", "TestSupport"],
            path: "Tests/Conformance"
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "FeedAPI", "FeedDiff", "FeedFormats", "FeedModel", "FeedStore", "Gzip",
                "HTTPServer",
                "HTTPWire", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Fuzzing/Targets"
        ),
        .testTarget(
            name: "FuzzTargetsTests",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzzing/Replay"
        ),
    ],
    swiftLanguageModes: [.v6]
)

/// The targets with values only: the compiler keeps pointers out of them.
let safeTargets: Set = ["HTTPWire", "FeedModel", "FeedDiff", "FeedStore"]
/// The targets in C.
let foreignTargets: Set = ["CLinux", "COpenAPI", "CPostgres"]

for target in package.targets
where target.type != .system && !foreignTargets.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
    if safeTargets.contains(target.name) {
        target.swiftSettings?.append(.strictMemorySafety())
    }
}
