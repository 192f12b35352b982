// swift-tools-version: 6.2

import PackageDescription

/// The bench speaks the protocol through the daemon's own modules, whose declarations are `package`. The compiler shows
/// them to modules of the same package name, so the bench is compiled with that of the clone. The package manager makes
/// this name from the name of the folder.
let packageOfClone: String = {
    let folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
    let name = folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return String(name.first?.isNumber == true ? ["_"] + name.dropFirst() : name)
}()

/// Compiled as every target of ours: see the main Package.swift.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-package-name", packageOfClone]),
]

let package = Package(
    name: "ghoststore-bench",
    dependencies: [
        .package(name: "ghoststore", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        // Histogram needs it. It is a dependency for its version alone.
        .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
    ],
    targets: [
        .systemLibrary(name: "CEpoll"),
        .executableTarget(
            name: "ghoststore-bench",
            dependencies: [
                .product(name: "StoreClient", package: "ghoststore"),
                .product(name: "_StoreProtocol", package: "ghoststore"),
                "CEpoll",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "GhoststoreBenchTests",
            dependencies: [
                "ghoststore-bench",
                .product(name: "StoreClient", package: "ghoststore"),
                .product(name: "StoreClientTesting", package: "ghoststore"),
                .product(name: "_StoreProtocol", package: "ghoststore"),
                .product(name: "Numerics", package: "swift-numerics"),
            ],
            packageAccess: false, swiftSettings: strict),
    ]
)
