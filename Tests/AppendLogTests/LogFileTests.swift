import AppendLog
import Foundation
import GhostTestSupport
import Interchange
import StoreClient
import TestBasics
import Testing

private struct Line: Codable, Sendable, Equatable {
    var sequence: Int
    var text: String
}

@Suite(.timeLimit(.minutes(1))) struct LogFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/cacheadvance")

    @Test(arguments: ["bounded", "empty", "wrapped"])
    func `a file of the original library is imported and exported without a change`(name: String) async throws {
        let file = Self.folder.appending(path: "\(name).cache")
        let expected = try JSONDecoder().decode(
            [Line].self, from: Data(contentsOf: Self.folder.appending(path: "\(name).json")))
        let before = try Data(contentsOf: file)
        try await withDaemonAndClient { daemon, client in
            let log = try await AppendLog<Line>(
                client: client, name: name, maximumBytes: 5_000, shouldOverwriteOldMessages: name != "bounded")
            #expect(try await log.importFile(at: file.path) == expected.count)
            #expect(try await log.messages() == expected)
            let exported = daemon.directory.path + "/exported.cache"
            try await log.exportFile(to: exported)
            let written = try Data(contentsOf: URL(filePath: exported))
            // The export of a wrapped file starts with the oldest message, so its bytes differ from the original's.
            if name == "wrapped" {
                let reread = try CacheAdvanceFile(parsing: [UInt8](written))
                #expect(reread.messages == (try CacheAdvanceFile(parsing: [UInt8](before)).messages))
            } else {
                #expect(written == before)
            }
        }
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `an export of messages with metadata contains the messages alone`() async throws {
        try await withDaemonAndClient { daemon, client in
            let log = try await AppendLog<Line>(
                client: client, name: "log", maximumBytes: 500, shouldOverwriteOldMessages: false)
            let line = Line(sequence: 1, text: "one")
            let encoded = [UInt8](try JSONEncoder().encode(line))
            try await client.append(
                [encoded, encoded], metadata: [Metadata(data: [UInt8](repeating: 1, count: 300)), nil], toLog: "log")
            #expect(try await log.messages() == [line, line])
            let path = daemon.directory.path + "/exported.cache"
            try await log.exportFile(to: path)
            let file = try CacheAdvanceFile(parsing: [UInt8](Data(contentsOf: URL(filePath: path))))
            #expect(file.messages == [encoded, encoded])
        }
    }

    @Test func `a damaged file is rejected with the damaged byte, and file and log do not change`() async throws {
        var bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: "bounded.cache")))
        bytes[64] = 0xff
        try await withDaemonAndClient { [bytes] daemon, client in
            let path = daemon.directory.path + "/damaged.cache"
            try Data(bytes).write(to: URL(filePath: path))
            let log = try await AppendLog<Line>(
                client: client, name: "log", maximumBytes: 5_000, shouldOverwriteOldMessages: false)
            let error = await #expect(throws: AppendLogError.self) { try await log.importFile(at: path) }
            guard case .fileCorrupted(offset: 64, _) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                return
            }
            #expect(try await log.isEmpty())
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
        }
    }

    @Test func `an import of several requests that exceeds the room in the log changes nothing`() async throws {
        let messages = (0..<1_500).map { Line(sequence: $0, text: "line") }
        try await withDaemonAndClient { daemon, client in
            let path = daemon.directory.path + "/lines.cache"
            let source = try await AppendLog<Line>(
                client: client, name: "source", maximumBytes: 1 << 20, shouldOverwriteOldMessages: false)
            for start in stride(from: 0, to: messages.count, by: StoreClient.entriesPerRequestMax) {
                try await source.append(messages: Array(messages[start...].prefix(StoreClient.entriesPerRequestMax)))
            }
            try await source.exportFile(to: path)
            let used = try await client.log("source").usedBytes
            for (missing, expected) in [(UInt64(1), AppendLogError.messageLargerThanRemainingCacheSize), (0, nil)] {
                let log = try await AppendLog<Line>(
                    client: client, name: "missing-\(missing)", maximumBytes: 64 + used - missing,
                    shouldOverwriteOldMessages: false)
                var error: AppendLogError?
                do throws(AppendLogError) {
                    try await log.importFile(at: path)
                } catch let caught {
                    error = caught
                }
                #expect(error == expected)
                #expect(try await log.messages().count == (expected == nil ? 1_500 : 0))
            }
        }
    }

    @Test func `an import with a message larger than an overwriting log changes nothing`() async throws {
        try await withDaemonAndClient { daemon, client in
            let path = daemon.directory.path + "/lines.cache"
            var file = CacheAdvanceFile(CacheAdvanceConfiguration(maximumBytes: 1 << 20, overwritesOldest: false))
            for number in 0..<1_100 {
                let text = String(repeating: "x", count: number == 1_099 ? 6_000 : 1)
                file.append([UInt8](try JSONEncoder().encode(Line(sequence: number, text: text))))
            }
            try Data(file.bytes).write(to: URL(filePath: path))
            let log = try await AppendLog<Line>(
                client: client, name: "log", maximumBytes: 5_000, shouldOverwriteOldMessages: true)
            let error = await #expect(throws: AppendLogError.self) { try await log.importFile(at: path) }
            #expect(error == .messageLargerThanCacheCapacity)
            #expect(try await log.isEmpty())
        }
    }

    @Test(arguments: [true, false])
    func `an import with one message above the limit changes nothing`(isInLibrary: Bool) async throws {
        try await withDaemonAndClient { daemon, client in
            var file = CacheAdvanceFile(CacheAdvanceConfiguration(maximumBytes: 64 << 20, overwritesOldest: true))
            for number in 0..<1_502 {
                let text = String(repeating: "x", count: number == 1_500 ? 8 << 20 : 1)
                file.append([UInt8](try JSONEncoder().encode(Line(sequence: number, text: text))))
            }
            let path = try daemon.directory.write(file.bytes, to: "lines.cache")
            let log = try await AppendLog<Line>(
                client: client, name: "log", maximumBytes: 64 << 20, shouldOverwriteOldMessages: true)
            if isInLibrary {
                let error = await #expect(throws: AppendLogError.self) { try await log.importFile(at: path) }
                #expect(error == .messageLargerThanCacheCapacity)
            } else {
                let control = try await Program.run(
                    try BuiltPrograms.path("ghoststorectl"),
                    ["logs", "import", "log", path, "--socket", daemon.socketPath])
                #expect(control.exitCode == 65 && control.errorOutput.contains("nothing was appended"))
            }
            #expect(try await log.isEmpty())
        }
    }

    @Test func `an import of an empty file adds no messages`() async throws {
        try await withDaemonAndClient { daemon, client in
            let path = try daemon.directory.write([], to: "empty.cache")
            let log = try await AppendLog<Line>(
                client: client, name: "log", maximumBytes: 1_000, shouldOverwriteOldMessages: true)
            #expect(try await log.importFile(at: path) == 0)
            #expect(try await log.isEmpty())
        }
    }
}
