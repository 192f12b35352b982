import FoundationEssentials
import Glibc
import TestBasics

/// A folder with all that is in it, as it lies on a disk that nobody writes to.
struct DiskImage {
    /// By path relative to the folder.
    var files: [String: [UInt8]] = [:]
    var folders: Set<String> = []

    init() {}

    init(of folder: String) {
        files = StateFiles(folder).contents
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] where files[name] == nil {
            folders.insert(name)
        }
    }

    /// Puts it in the place of a folder.
    func place(at folder: TemporaryDirectory, _ name: String) throws {
        try? FileManager.default.removeItem(atPath: folder.file(name))
        for path in [""] + folders.sorted() {
            mkdir(folder.file(name + "/" + path), 0o700)
        }
        for (path, bytes) in files {
            try folder.write(bytes, to: name + "/" + path)
        }
    }
}
