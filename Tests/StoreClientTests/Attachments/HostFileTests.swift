import FoundationEssentials
import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreClient

/// Files of this machine that are read in order to attach them.
@Suite struct HostFileTests {
    private func url(_ directory: TemporaryDirectory, _ name: String) -> URL {
        URL(filePath: directory.file(name))
    }

    private func error(_ body: () throws -> Void) -> StoreClientError? {
        #expect(throws: StoreClientError.self) { try body() }
    }

    @Test(arguments: [0, 1, 9, 10, 11, 25]) func `a file is read in pieces until its end`(byteCount: Int) throws {
        let directory = try TemporaryDirectory()
        let content = (0..<byteCount).map { UInt8($0) }
        try directory.write(content, to: "a b%20ü")
        let file = try HostFile(url(directory, "a b%20ü"))
        #expect(file.byteCount == byteCount)
        var read: [UInt8] = []
        while true {
            let piece = try file.read(from: read.count, byteCountMax: 10)
            guard !piece.isEmpty else { break }
            #expect(piece.count == min(10, byteCount - read.count))
            read += piece
        }
        #expect(read == content)
    }

    @Test func `a symbolic link is followed`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("text", to: "file")
        #expect(symlink("file", directory.file("link")) == 0)
        #expect(try HostFile(url(directory, "link")).read(from: 0, byteCountMax: 9) == Array("text".utf8))
    }

    @Test func `anything but a regular file is refused, a named pipe without waiting for a writer`() throws {
        let directory = try TemporaryDirectory()
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        for place in [url(directory, "pipe"), URL(filePath: directory.path), URL(filePath: "/dev/null")] {
            let failure = error { _ = try HostFile(place) }
            #expect(failure?.reason == .invalidArgument && failure?.message.hasSuffix("is not a regular file") == true)
        }
        let page = try #require(URL(string: "https://example.org/photo.jpg"))
        #expect(error { _ = try HostFile(page) }?.reason == .invalidArgument)
    }

    @Test func `a file that does not exist is an error with its path`() throws {
        let directory = try TemporaryDirectory()
        let failure = error { _ = try HostFile(url(directory, "absent")) }
        #expect(failure?.reason == .inputOutputFailed)
        #expect(failure?.message == "\(directory.file("absent")) cannot be read: no such file or directory")
    }

    @Test(arguments: [3, 8]) func `a file that changes its size while it is read is an error`(byteCount: Int) throws {
        let directory = try TemporaryDirectory()
        try directory.write([UInt8](repeating: 1, count: 6), to: "file")
        let file = try HostFile(url(directory, "file"))
        _ = try file.read(from: 0, byteCountMax: 2)
        #expect(truncate(directory.file("file"), byteCount) == 0)
        let failure = error {
            var offset = 2
            while true {
                let piece = try file.read(from: offset, byteCountMax: 4)
                guard !piece.isEmpty else { break }
                offset += piece.count
            }
        }
        #expect(failure?.reason == .inputOutputFailed && failure?.code == .aborted)
    }
}
