import Foundation
import Testing

@Suite struct GeneratedCodeTests {
    static let folder = "Sources/StoreProtocol/Generated"

    @Test func `there is one generated file for each .proto file and no other`() throws {
        let protos = try Repository.files(below: "proto-docs", suffix: ".proto").map(Self.baseName)
        let generated = try Repository.files(below: Self.folder, suffix: ".swift").map(Self.baseName)
        #expect(protos.count > 5)
        #expect(protos == generated)
    }

    @Test func `the committed code is the output of protoc`() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "ghoststore-protos-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        try Self.generate(into: scratch)
        for path in try Repository.files(below: Self.folder, suffix: ".swift") {
            let name = URL(filePath: path).lastPathComponent
            let fresh = try String(contentsOf: scratch.appending(path: name), encoding: .utf8)
            let isCurrent = try Repository.text(path) == fresh
            #expect(isCurrent, "\(path) is stale; hint: make protos")
        }
    }

    @Test func `a changed .proto file gives other code`() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "ghoststore-protos-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let tree = scratch.appending(path: "tree")
        for path in try Repository.files(below: "proto-docs", suffix: ".proto") + ["scripts/generate-protos"] {
            let target = tree.appending(path: path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Repository.root.appending(path: path), to: target)
        }
        let errors = tree.appending(path: "proto-docs/ghoststore/v1/errors.proto")
        let changed = try String(contentsOf: errors, encoding: .utf8).replacing("retryable", with: "repeatable")
        try changed.write(to: errors, atomically: true, encoding: .utf8)
        let output = scratch.appending(path: "out")
        try Self.generate(into: output, root: tree)
        let fresh = try String(contentsOf: output.appending(path: "errors.pb.swift"), encoding: .utf8)
        #expect(try fresh != Repository.text(Self.folder + "/errors.pb.swift"))
    }

    @Test func `generated code of the clients and the daemon is up to date`() throws {
        let (status, output) = try Self.checkClients(["swift", "python", "server"])
        #expect(status == 0, "\(output)")
    }

    @Test func `a changed comment makes the generated code of StoreClient outdated`() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "ghoststore-clients-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        for path in ["proto-docs", Self.clientFolder] {
            let target = scratch.appending(path: path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Repository.root.appending(path: path), to: target)
        }
        #expect(try Self.checkClients(["swift"], root: scratch).status == 0)
        let contacts = scratch.appending(path: "proto-docs/ghoststore/v1/contacts.proto")
        let changed = try String(contentsOf: contacts, encoding: .utf8)
            .replacing("// Notes about the contact", with: "// Remarks about the contact")
        try changed.write(to: contacts, atomically: true, encoding: .utf8)
        let (status, output) = try Self.checkClients(["swift"], root: scratch)
        #expect(status == 1)
        let stale = output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(stale == ["\(Self.clientFolder)/contacts.models.swift"])
    }

    private static let clientFolder = "Sources/StoreClient/Generated"

    private static func checkClients(
        _ languages: [String], root: URL = Repository.root
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = Repository.root.appending(path: "clients/generator/generate.py")
        process.arguments = ["--check", "--root", root.path(percentEncoded: false)] + languages
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    private static func baseName(_ path: String) -> String {
        String(URL(filePath: path).lastPathComponent.prefix { $0 != "." })
    }

    private static func generate(into output: URL, root: URL = Repository.root) throws {
        let plugins = [".build-tests/release/protoc-gen-swift", ".build/release/protoc-gen-swift"]
        let plugin = try #require(
            plugins.first(where: Repository.exists), "protoc-gen-swift is not built; hint: make test-build")
        let process = Process()
        process.executableURL = root.appending(path: "scripts/generate-protos")
        process.arguments = [output.path(percentEncoded: false)]
        var environment = ProcessInfo.processInfo.environment
        environment["PROTOC_GEN_SWIFT"] = Repository.root.appending(path: plugin).path(percentEncoded: false)
        process.environment = environment
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "hint: apt-get install protobuf-compiler")
    }
}
