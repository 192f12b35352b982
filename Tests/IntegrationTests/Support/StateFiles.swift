import FoundationEssentials
import Glibc
import TestBasics
import Testing

/// The bytes of all files in a folder and its subfolders.
struct StateFiles: Equatable {
    /// The bytes of each file, by its path relative to the folder.
    let contents: [String: [UInt8]]

    init(_ folder: String) {
        var contents: [String: [UInt8]] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            if let data = Self.regularFile("\(folder)/\(name)") {
                contents[name] = data
            }
        }
        self.contents = contents
    }

    private init(contents: [String: [UInt8]]) {
        self.contents = contents
    }

    func without(_ names: String...) -> StateFiles {
        StateFiles(contents: contents.filter { !names.contains($0.key) })
    }

    /// Returns the sorted paths of files that exist on one side only or have different bytes.
    func differences(from other: StateFiles) -> [String] {
        Set(contents.keys).union(other.contents.keys).filter { contents[$0] != other.contents[$0] }.sorted()
    }

    /// Returns the sorted paths of files that contain the text in UTF-8.
    func files(holding text: String) -> [String] {
        files(holding: Array(text.utf8))
    }

    func files(holding needle: [UInt8]) -> [String] {
        contents.filter { Self.holds($0.value, needle) }.keys.sorted()
    }

    private static func holds(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle in
                guard let first = needle.first, let start = bytes.baseAddress, let wanted = needle.baseAddress else {
                    return false
                }
                var offset = 0
                while offset + needle.count <= bytes.count {
                    let candidates = bytes.count - needle.count + 1 - offset
                    guard let hit = memchr(start + offset, Int32(first), candidates) else { return false }
                    if memcmp(hit, wanted, needle.count) == 0 { return true }
                    offset = UnsafeRawPointer(hit) - start + 1
                }
                return false
            }
        }
    }

    private static func regularFile(_ path: String) -> [UInt8]? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    /// Inverts one byte of a file.
    static func damage(_ path: String, at offset: Int) throws {
        let file = open(path, O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var byte: UInt8 = 0
        try #require(pread(file, &byte, 1, off_t(offset)) == 1)
        byte = ~byte
        try #require(pwrite(file, &byte, 1, off_t(offset)) == 1)
    }

    static func size(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
