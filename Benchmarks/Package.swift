// swift-tools-version: 6.2

import PackageDescription

/// The bench speaks the protocol through the daemon's own modules, whose declarations are `package`. The compiler shows
/// them only to modules with the same package name, so the bench is compiled with the package name of this clone. The
/// package manager derives that name from the name of the folder.
let packageOfClone: String = {
    let folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
    let name = folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return String(name.first?.isNumber == true ? ["_"] + name.dropFirst() : name)
}()

/// The compiler settings of every target in the main Package.swift, and its package name.
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
        // Histogram needs this package. It is declared only to fix its version.
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
