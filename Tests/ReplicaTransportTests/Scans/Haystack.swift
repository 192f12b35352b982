import FoundationEssentials
import GhostTestSupport

/// Bytes outside the stores, which are searched for secrets and texts.
struct Haystack {
    let name: String
    private let pieces: [[UInt8]]

    /// Reads all files of a folder and of its subfolders.
    init(_ name: String, folder path: String) throws {
        self.name = name
        pieces = try FileManager.default.subpathsOfDirectory(atPath: path).compactMap {
            FileManager.default.contents(atPath: "\(path)/\($0)").map { Array($0) }
        }
    }

    init(_ name: String, file path: String) {
        self.name = name
        pieces = FileManager.default.contents(atPath: path).map { [Array($0)] } ?? []
    }

    /// Reads the memory of a process, which must be stopped meanwhile.
    init(_ name: String, processID: Int32) throws {
        self.name = name
        pieces = try ProcessMemory(processID: processID).mappings
    }

    var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }

    func count(of needle: [UInt8]) -> Int {
        pieces.reduce(0) { $0 + ProcessMemory.count(of: needle, in: $1) }
    }
}
