import Glibc
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct ContentFileTests {
    private static let chunkBytes = 4_096

    private let directory: TemporaryDirectory
    private let folder: VaultFolder
    private let header: ContentHeader

    init() throws {
        directory = try TemporaryDirectory()
        folder = try VaultFolder(in: StateDirectory(path: directory.path))
        header = ContentHeader(id: try .random(), cipher: try .fastest(), chunkBytes: UInt32(Self.chunkBytes))
    }

    private func path(of id: ContentID) -> String {
        "\(directory.path)/vault/\(id.hexadecimal.prefix(2))/\(id.hexadecimal)"
    }

    private func write(_ text: String, to slot: UInt64, of file: borrowing ContentFile, _ place: ChunkPlace) throws {
        var buffer = [UInt8](repeating: 0, count: file.slotBytes)
        buffer.replaceSubrange(file.plaintextRange(text.utf8.count), with: text.utf8)
        try buffer.withUnsafeMutableBytes { try file.write(text.utf8.count, from: $0, to: slot, as: place) }
    }

    private func read(
        _ byteCount: Int, from slot: UInt64, of file: borrowing ContentFile, _ place: ChunkPlace
    ) throws -> String {
        var buffer = [UInt8](repeating: 0, count: file.slotBytes)
        try buffer.withUnsafeMutableBytes { try file.read(byteCount, into: $0, from: slot, as: place) }
        return String(decoding: buffer[file.plaintextRange(byteCount)], as: UTF8.self)
    }

    @Test func `chunks are read from the slots they were written to, also after a reopening`() throws {
        let key = try ContentKey.generate()
        let first = ChunkPlace(chunk: 0, generation: 1)
        let second = ChunkPlace(chunk: 1, generation: 1)
        do {
            let file = try folder.create(header, under: key)
            try write("second", to: 0, of: file, second)
            try write("first", to: 1, of: file, first)
            try file.sync()
            try folder.syncFolder(of: header.id)
            #expect(try read(6, from: 0, of: file, second) == "second")
        }
        let file = try folder.open(header, under: key)
        #expect(try read(5, from: 1, of: file, first) == "first")
        let bytes = try TestFile.read(path(of: header.id))
        #expect(!bytes.contains(subsequence: "second"))
        var status = stat()
        #expect(stat(path(of: header.id), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(reason { _ = try folder.create(header, under: key) } == .storageFailed)
    }

    @Test func `a chunk that was cut, moved, written before or never written is damage`() throws {
        let key = try ContentKey.generate()
        let place = ChunkPlace(chunk: 3, generation: 2)
        let file = try folder.create(header, under: key)
        try write("content", to: 0, of: file, place)
        try write("content", to: 1, of: file, ChunkPlace(chunk: 4, generation: 2))
        let wrong: [(Int, UInt64, ChunkPlace)] = [
            (7, 1, place), (6, 0, place), (8, 0, place), (7, 0, ChunkPlace(chunk: 3, generation: 1)),
            (7, 0, ChunkPlace(chunk: 2, generation: 2)), (7, 2, place), (7, 1 << 40, place),
        ]
        for (byteCount, slot, place) in wrong {
            #expect(reason { _ = try read(byteCount, from: slot, of: file, place) } == .fileDamaged)
        }
        #expect(reason { _ = try read(7, from: .max, of: file, place) } == .databaseDamaged)
        #expect(truncate(path(of: header.id), 80) == 0)
        #expect(reason { _ = try read(7, from: 0, of: file, place) } == .fileDamaged)
    }

    @Test func `a missing file, a link, a folder and a file of another content are damage`() throws {
        let key = try ContentKey.generate()
        #expect(reason { _ = try folder.open(header, under: key) } == .fileDamaged)
        _ = try folder.create(header, under: key)
        #expect(reason { _ = try folder.open(header, under: .generate()) } == .fileDamaged)
        let path = path(of: header.id)
        #expect(rename(path, path + ".moved") == 0 && symlink(path + ".moved", path) == 0)
        #expect(reason { _ = try folder.open(header, under: key) } == .fileDamaged)
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        #expect(reason { _ = try folder.open(header, under: key) } == .fileDamaged)
        #expect(rmdir(path) == 0)
        for byteCount in [0, 1, ContentHeader.byteCount - 1] {
            try TestFile.write(try Array(TestFile.read(path + ".moved").prefix(byteCount)), to: path)
            #expect(reason { _ = try folder.open(header, under: key) } == .fileDamaged)
        }
    }

    @Test func `only files whose names are content ids are found in a folder`() throws {
        let key = try ContentKey.generate()
        let byte = try #require(header.id.bytes.first)
        #expect(try folder.ids(withFirst: byte) == [])
        _ = try folder.create(header, under: key)
        let path = path(of: header.id)
        try TestFile.write([1], to: path + "0")
        try TestFile.write([1], to: path.replacing(header.id.hexadecimal, with: "else"))
        #expect(try folder.ids(withFirst: byte) == [header.id])
        #expect(try folder.ids(withFirst: byte &+ 1) == [])
    }

    @Test func `a file is overwritten from its end and removed in steps`() throws {
        let key = try ContentKey.generate()
        let file = try folder.create(header, under: key)
        try write("content", to: 0, of: file, ChunkPlace(chunk: 0, generation: 1))
        let path = path(of: header.id)
        let held = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(held) }
        #expect(truncate(path, off_t(2 * VaultFolder.erasureStepBytes + 100)) == 0)
        var steps = 1
        while try folder.eraseSome(of: header.id) {
            steps += 1
        }
        #expect(steps == 3)
        #expect(access(path, F_OK) != 0)
        #expect(try !folder.eraseSome(of: header.id))
        #expect(try !folder.eraseSome(of: .random()))
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence text: String) -> Bool {
        firstRange(of: Array(text.utf8)) != nil
    }
}
