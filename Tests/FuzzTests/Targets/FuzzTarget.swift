import FoundationEssentials

/// Code of this project that reads bytes from a peer, a file or a person. For any input it must not trap, must end
/// soon, and must give consistent results.
enum FuzzTarget: String, CaseIterable, CustomStringConvertible, Sendable {
    case frames
    case keyring
    case sealedFile = "sealed-file"
    case contentChunk = "content-chunk"
    case backupFooter = "backup-footer"
    case messageBlob = "message-blob"
    case cacheAdvance = "cache-advance"
    case archive
    case replicaRecords = "replica-records"
    case configuration
    #if FUZZER
    /// Tests cannot import the program that contains this code. `ImportDamageTests` runs the program instead.
    case jsonLines = "json-lines"
    #endif

    var description: String {
        rawValue
    }

    /// - Throws: `BrokenPromise`. Errors of the code under test are valid results and are caught.
    func run(_ input: [UInt8]) throws {
        switch self {
        case .frames: try FramesTarget.run(input)
        case .keyring: try KeyringTarget.run(input)
        case .sealedFile: try SealedFileTarget.run(input)
        case .contentChunk: try ContentChunkTarget.run(input)
        case .backupFooter: try BackupFooterTarget.run(input)
        case .messageBlob: try MessageBlobTarget.run(input)
        case .cacheAdvance: try CacheAdvanceTarget.run(input)
        case .archive: try ArchiveTarget.run(input)
        case .replicaRecords: try ReplicaRecordsTarget.run(input)
        case .configuration: try ConfigurationTarget.run(input)
        #if FUZZER
        case .jsonLines: try JSONLinesTarget.run(input)
        #endif
        }
    }

    /// Returns the initial inputs: the project's vectors and fixtures, and earlier findings (files in
    /// `Tests/FuzzTests/Findings` whose names begin with the target's name).
    func seeds() throws -> [[UInt8]] {
        let own =
            switch self {
            case .frames: try FramesTarget.seeds()
            case .keyring: try KeyringTarget.seeds()
            case .sealedFile: try SealedFileTarget.seeds()
            case .contentChunk: try ContentChunkTarget.seeds()
            case .backupFooter: try BackupFooterTarget.seeds()
            case .messageBlob: try MessageBlobTarget.seeds()
            case .cacheAdvance: try CacheAdvanceTarget.seeds()
            case .archive: try ArchiveTarget.seeds()
            case .replicaRecords: try ReplicaRecordsTarget.seeds()
            case .configuration: try ConfigurationTarget.seeds()
            #if FUZZER
            case .jsonLines: try JSONLinesTarget.seeds()
            #endif
            }
        let findings = try ProjectFiles.names(in: "Tests/FuzzTests/Findings").filter { $0.hasPrefix(rawValue + ".") }
        return try own + findings.map { try ProjectFiles.bytes("Tests/FuzzTests/Findings/\($0)") }
    }
}

/// The error of a target whose code broke one of its promises.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String

    static func unless(_ isKept: Bool, _ promise: String) throws {
        guard isKept else { throw BrokenPromise(description: "not kept: \(promise)") }
    }
}

/// Reads files of the project by their paths, relative to its top folder.
enum ProjectFiles {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: top.appending(path: path)))
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: top.appending(path: folder).path).sorted()
    }
}
