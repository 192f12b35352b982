// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "talk",
    // Where the repository is, seen from this folder.
    dependencies: [.package(name: "ghoststore", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "talk", dependencies: [.product(name: "StoreClient", package: "ghoststore")])
    ]
)
