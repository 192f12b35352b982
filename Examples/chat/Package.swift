// swift-tools-version: 6.2

import PackageDescription

// An application outside this repository gives the URL of the repository instead of a path.
let package = Package(
    name: "chat",
    dependencies: [.package(name: "ghoststore", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "chat", dependencies: [.product(name: "StoreClient", package: "ghoststore")])
    ]
)
