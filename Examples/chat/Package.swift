// swift-tools-version: 6.2

import PackageDescription

// An application elsewhere has the URL that it cloned from in the place of the path.
let package = Package(
    name: "chat",
    dependencies: [.package(name: "ghoststore", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "chat", dependencies: [.product(name: "StoreClient", package: "ghoststore")])
    ]
)
