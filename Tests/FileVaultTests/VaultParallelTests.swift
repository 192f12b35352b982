import FileVault
import FoundationEssentials
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Many tasks call each writing method of the vault at the same time, with small and large contents, and every call
/// succeeds.
@Suite(.timeLimit(.minutes(5))) struct VaultParallelTests {
    private typealias Try = ParallelTry<FileVault>

    private static let large = Data(repeating: 7, count: TestTier.count(70_000, long: 100_000))

    private static func url(_ vault: FileVault, _ path: String) throws(FileVaultError) -> URL {
        try vault.getFileURL(atPath: path, withSearchPath: .directory(type: .document))
    }

    private static func save(_ vault: FileVault, _ path: String, _ value: FileEncodingValue) async throws {
        try await vault.saveFile(
            atURL: url(vault, path), withEncodingAndData: value, includeIntermediateDirectories: true)
    }

    private static func append(_ vault: FileVault, _ path: String, _ value: FileEncodingValue) async throws {
        try await vault.appendData(value, atURL: url(vault, path), includeIntermediateDirectories: true)
    }

    private static let tries: [Try] = [
        Try("saveFile") { try await save($0, "f\($1)", .byteBuffer(value: Data([1]))) },
        Try("saveFile large") { try await save($0, "f\($1)", .byteBuffer(value: large)) },
        Try("saveFile large, in one place") { vault, _ in
            try await save(vault, "new/folder/one", .byteBuffer(value: large))
        },
        Try("appendData") { try await append($0, "f\($1)", .byteBuffer(value: large)) },
        Try("appendData in one place") { vault, number in
            try await append(vault, "all", .byteBuffer(value: number % 2 == 0 ? Data([1]) : large))
        },
        Try("appendData of UTF-16 in one place") { vault, number in
            try await append(vault, "text", .string(encoding: .utf16, value: "line \(number)\n"))
        },
        Try("createDirectory") { vault, number in
            try await vault.createDirectory(atURL: url(vault, "d/e\(number)"), includeIntermediateDirectories: true)
        },
        Try("removeDirectory") { vault, number in
            try await vault.removeDirectory(atURL: url(vault, "d/e\(number)"), includeIntermediateDirectories: false)
        },
        Try("copyItem") { try await $0.copyItem(fromURL: url($0, "f\($1)"), toURL: url($0, "g\($1)")) },
        Try("renameItem") { try await $0.renameItem(fromURL: url($0, "g\($1)"), toURL: url($0, "h\($1)")) },
        Try("deleteFile") { try await $0.deleteFile(atURL: url($0, "h\($1)")) },
    ]

    @Test func `every call is tried or listed as left out`() throws {
        let reads = ["getItemAttributes", "listDirectory", "readEntireFile", "readRange"]
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["FileVault"], tried: Self.tries.map(\.name), leftOut: reads)
        #expect(forgotten == [] && unknown == [])
    }

    @Test func `many tasks write at the same time`() async throws {
        try await withDaemonAndClient(configuration: ParallelCalls.configuration) { _, client in
            let vault = FileVault(client: client)
            for attempt in Self.tries {
                #expect(await attempt.failures(vault) == [:], "\(attempt.name)")
            }
            let all = try await vault.getItemAttributes(atURL: Self.url(vault, "all"))
            #expect(all.size == ParallelCalls.taskCount / 2 * (Self.large.count + 1))
            let text = try await vault.readEntireFile(
                atURL: Self.url(vault, "text"), withEncoding: .string(encoding: .utf16))
            guard case .string(_, let text) = text else { return }
            #expect(!text.contains("\u{FEFF}"))
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.sorted() == (0..<ParallelCalls.taskCount).map { "line \($0)" }.sorted())
        }
    }

    /// The programs append at the same time, so only the daemon knows which append is the first. Only the first one may
    /// write a byte order mark.
    @Test(arguments: [1, 40_000]) func `UTF-16 text that several programs append has one byte order mark`(count: Int)
        async throws
    {
        try await withDaemon { daemon in
            var vaults: [FileVault] = []
            for _ in 0..<4 {
                vaults.append(FileVault(client: try await daemon.connect()))
            }
            for round in 0..<TestTier.count(3, long: 10) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for vault in vaults {
                        group.addTask {
                            let text = String(repeating: "x", count: count)
                            try await Self.append(vault, "f\(round)", .string(encoding: .utf16, value: text))
                        }
                    }
                    try await group.waitForAll()
                }
                let value = try await vaults[0].readEntireFile(
                    atURL: Self.url(vaults[0], "f\(round)"), withEncoding: .string(encoding: .utf16))
                #expect(value == .string(encoding: .utf16, value: String(repeating: "x", count: 4 * count)))
            }
        }
    }
}
