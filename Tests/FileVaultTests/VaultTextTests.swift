import FoundationEssentials
import GhostTestSupport
import StoreClient
import Testing

@testable import FileVault

/// Text and its bytes: byte order marks, byte orders, chunks and parts.
@Suite(.timeLimit(.minutes(1))) struct VaultTextTests {
    private func withVault(_ body: @escaping @Sendable (FileVault, URL) async throws -> Void) async throws {
        try await withDaemonAndClient { _, client in
            let vault = FileVault(client: client)
            try await body(vault, vault.getFileURL(atPath: "f", withSearchPath: .directory(type: .document)))
        }
    }

    private func save(_ bytes: [UInt8], _ vault: FileVault, _ url: URL) async throws {
        try await vault.saveFile(
            atURL: url, withEncodingAndData: .byteBuffer(value: Data(bytes)), includeIntermediateDirectories: false)
    }

    private func text(_ value: FileEncodingValue) -> String? {
        if case .string(_, let text) = value { text } else { nil }
    }

    private func bytes(_ vault: FileVault, _ url: URL) async throws -> [UInt8] {
        guard case .byteBuffer(let data) = try await vault.readEntireFile(atURL: url, withEncoding: .byteBuffer)
        else { return [] }
        return [UInt8](data)
    }

    private func chunks(
        _ vault: FileVault, _ url: URL, _ encoding: FileStringEncoding, of size: Int, from offset: Int = 0,
        length: Int = 0
    ) async throws -> [String] {
        var texts: [String] = []
        let chunks = try vault.readFileInChunks(
            atURL: url, withEncoding: .string(encoding: encoding), andChunkSize: size, andOffset: offset,
            andLength: length)
        for try await chunk in chunks {
            texts.append(text(chunk) ?? "")
        }
        return texts
    }

    private static let littleEndian: [UInt8] = [0x61, 0x00, 0x3D, 0xD8, 0x4D, 0xDC]
    private static let bigEndian: [UInt8] = [0x00, 0x61, 0xD8, 0x3D, 0xDC, 0x4D]

    /// Reads the bytes of "a👍" in each encoding, with and without a byte order mark. The text must always be the same.
    @Test
    func `byte order marks are not text, and UTF-16 without one is big-endian unless the encoding says otherwise`()
        async throws
    {
        try await withVault { vault, url in
            let utf8 = Array("a👍".utf8)
            let cases: [([UInt8], FileStringEncoding)] = [
                (utf8, .utf8), ([0xEF, 0xBB, 0xBF] + utf8, .utf8),
                ([0xFF, 0xFE] + Self.littleEndian, .utf16), ([0xFE, 0xFF] + Self.bigEndian, .utf16),
                (Self.bigEndian, .utf16), (Self.bigEndian, .utf16BigEndian), (Self.littleEndian, .utf16LittleEndian),
                ([0xFE, 0xFF] + Self.bigEndian, .utf16BigEndian),
                ([0xFF, 0xFE] + Self.littleEndian, .utf16LittleEndian),
            ]
            for (bytes, encoding) in cases {
                try await save(bytes, vault, url)
                let whole = try await vault.readEntireFile(atURL: url, withEncoding: .string(encoding: encoding))
                #expect(text(whole) == "a👍", "\(bytes), \(encoding)")
                for size in 1...9 {
                    #expect(try await chunks(vault, url, encoding, of: size).joined() == "a👍", "\(bytes), \(encoding)")
                }
            }
            // U+FEFF is a byte order mark only at the beginning of a file.
            try await save(Array("a\u{FEFF}b".utf8), vault, url)
            let part = try await vault.readRange(
                atURL: url, offset: 1, length: 0, withEncoding: .string(encoding: .utf8))
            #expect(text(part) == "\u{FEFF}b")
        }
    }

    @Test func `a part of a UTF-16 file is read in the byte order of the file`() async throws {
        try await withVault { vault, url in
            for (bytes, start) in [
                ([0xFF, 0xFE] + Self.littleEndian, 2), ([0xFE, 0xFF] + Self.bigEndian, 2), (Self.bigEndian, 0),
            ] {
                try await save(bytes, vault, url)
                for (offset, length, expected) in [
                    (start + 2, 4, "👍"), (start, 2, "a"), (start + 2, 0, "👍"), (99, 0, ""),
                ] {
                    let part = try await vault.readEntireFile(
                        atURL: url, withEncoding: .string(encoding: .utf16), andOffset: offset, andLength: length)
                    #expect(text(part) == expected)
                    #expect(
                        try await chunks(vault, url, .utf16, of: 3, from: offset, length: length).joined() == expected)
                }
            }
        }
    }

    @Test func `bytes that are invalid in an encoding are an error, read whole or in chunks`() async throws {
        try await withVault { vault, url in
            let cases: [([UInt8], FileStringEncoding)] = [
                ([0xEF], .utf8), ([0xEF, 0xBB], .utf8), ([0xEF, 0xBB, 0x61], .utf8), ([0xEF, 0xBB, 0xBF, 0xFF], .utf8),
                ([0x61], .utf16), ([0xFF, 0xFE, 0x61], .utf16), ([0xD8, 0x3D], .utf16), ([0x80], .ascii),
                ([0x61, 0x00, 0x3D, 0xD8], .utf16LittleEndian), ([0xDC, 0x4D, 0x00, 0x61], .utf16BigEndian),
            ]
            for (bytes, encoding) in cases {
                try await save(bytes, vault, url)
                await #expect(throws: FileVaultError.cantDecodeData(usingEncoding: encoding), "\(bytes)") {
                    _ = try await vault.readEntireFile(atURL: url, withEncoding: .string(encoding: encoding))
                }
                for size in 1...4 {
                    await #expect(throws: FileVaultError.cantEncodeData(usingEncoding: encoding), "\(bytes)") {
                        _ = try await chunks(vault, url, encoding, of: size)
                    }
                }
            }
        }
    }

    @Test func `a text has no more chunks than its number of bytes requires`() async throws {
        try await withVault { vault, url in
            for (count, size, expected) in [
                (14, 8_192, 1), (8_192, 8_192, 1), (16_384, 8_192, 2), (100, 8_192, 1), (0, 8, 0), (9, 8, 2), (3, 0, 2),
            ] {
                try await save([UInt8](repeating: 0x61, count: count), vault, url)
                let texts = try await chunks(vault, url, .utf8, of: size)
                #expect(texts.count == expected && texts.joined().utf8.count == count, "\(count) in \(size)")
            }
            // A line end of two characters counts as one line end and is never split.
            try await save(Array("Hello, world!\r\n".utf8), vault, url)
            #expect(try await chunks(vault, url, .utf8, of: 8_192) == ["Hello, world!\r\n"])
            #expect(try await chunks(vault, url, .utf8, of: 14) == ["Hello, world!", "\r\n"])
        }
    }

    @Test func `offset and length have the same meaning as in version 1_1 of the original library`() async throws {
        try await withVault { vault, url in
            try await save(Array("0123456789".utf8), vault, url)
            for (offset, length, expected) in [
                (0, 0, "0123456789"), (0, -1, "0123456789"), (3, 4, "3456"), (3, 0, "3456789"), (-5, 2, "01"),
                (8, 100, "89"), (10, 1, ""), (100, 0, ""), (9, Int.max, "9"),
            ] {
                for encoding in [FileEncoding.byteBuffer, .string(encoding: .utf8)] {
                    let value = try await vault.readEntireFile(
                        atURL: url, withEncoding: encoding, andOffset: offset, andLength: length)
                    let data = Data(expected.utf8)
                    #expect(
                        value
                            == (encoding == .byteBuffer
                                ? .byteBuffer(value: data) : .string(encoding: .utf8, value: expected)))
                }
                let pieces = try await chunks(vault, url, .utf8, of: 3, from: offset, length: length)
                #expect(pieces.joined() == expected)
            }
        }
    }

    @Test func `text appended in any encoding is read back, and appended UTF-16 keeps the byte order of its file`()
        async throws
    {
        try await withVault { vault, url in
            for encoding in FileStringEncoding.allCases {
                let text = encoding == .ascii ? "plain" : "a👍"
                try? await vault.deleteFile(atURL: url)
                for _ in 0..<3 {
                    try await vault.appendData(
                        .string(encoding: encoding, value: text), atURL: url, includeIntermediateDirectories: false)
                }
                let whole = try await vault.readEntireFile(atURL: url, withEncoding: .string(encoding: encoding))
                #expect(self.text(whole) == text + text + text, "\(encoding)")
            }
            for (start, order) in [
                ([0xFF, 0xFE], ByteOrder.lowestFirst), ([0xFE, 0xFF], .highestFirst), (Self.bigEndian, .highestFirst),
                ([], .lowestFirst),
            ] as [([UInt8], ByteOrder)] {
                try await save(start, vault, url)
                try await vault.appendData(
                    .string(encoding: .utf16, value: "a👍"), atURL: url, includeIntermediateDirectories: false)
                let mark = start.isEmpty ? order.mark : start
                #expect(try await bytes(vault, url) == mark + order.bytes(of: "a👍"))
            }
        }
    }

    @Test func `reads of a file changed meanwhile throw notAbleToReadFile, and other calls throw failed`() throws {
        let changed = StoreClientError(code: .aborted, reason: .fileChanged, message: "changed")
        let path = try #require(VaultPath("document/f"))
        #expect(FileVaultError(changed, at: path) == .failed(changed), "of appendData and copyItem")
        #expect(FileVaultError(reading: changed, at: path) == .notAbleToReadFile)
        #expect(FileVaultError(readingInChunks: changed) == .notAbleToReadFile)
    }
}
