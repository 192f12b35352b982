// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "talk",
    // The path from this folder to the repository.
    dependencies: [.package(name: "ghoststore", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "talk", dependencies: [.product(name: "StoreClient", package: "ghoststore")])
    ]
)
