import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Large contents that are read while other calls write them.
@Suite(.timeLimit(.minutes(2))) struct WholeReadTests {
    private func content(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.byteCount(number))
    }

    private static func byteCount(_ number: Int) -> Int {
        TestTier.count(1_200_000, long: 3_000_000) + number % 5 * 100_000
    }

    /// Reads `count` times while another task writes, and expects that each result is one whole content. Returns the
    /// first byte of every content that was read.
    private func read(
        _ count: Int, _ read: @escaping @Sendable () async throws -> [UInt8],
        beside write: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Set<UInt8> {
        try await write(0)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var number = 1
                while !Task.isCancelled {
                    try await write(number)
                    number += 1
                    // Writes at least as often as a program that saves a text after every keystroke.
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { group.cancelAll() }
            var seen: Set<UInt8> = []
            for _ in 0..<count {
                let bytes = try await read()
                guard let first = bytes.first else { continue }
                // A piece has far more than 1,024 bytes, so this step sees every piece.
                let isOfOne = stride(from: 0, to: bytes.count, by: 1_024).allSatisfy { bytes[$0] == first }
                #expect(bytes.count == Self.byteCount(Int(first)) && isOfOne, "a mixture")
                seen.insert(first)
            }
            return seen
        }
    }

    @Test func `a file is read completely from one version while it is saved repeatedly`() async throws {
        try await withDaemon { daemon in
            let (reader, writer) = (try await daemon.connect(), try await daemon.connect())
            let path = VaultPath(.document, "f")
            let seen = try await read(TestTier.count(15, long: 40), { try await reader.readFile(at: path) }) { number in
                try await writer.saveFile(content(number % 250), at: path)
            }
            #expect(seen.count > 1, "the writer was too slow for this test")
        }
    }

    @Test func `a content is read completely while its message gets another one`() async throws {
        try await withDaemon { daemon in
            let (reader, writer) = (try await daemon.connect(), try await daemon.connect())
            let count = TestTier.count(10, long: 20)
            let seen = try await read(count, { try await reader.readAttachment(of: "m", at: 0) }) { number in
                let attachment = NewAttachment(.bytes(content(number % 250)))
                try await writer.saveMessage(
                    NewMessage(id: "m", conversation: .sessionID("05a"), text: "t", attachments: [attachment]))
            }
            #expect(seen.count > 1, "the writer was too slow for this test")
        }
    }
}
