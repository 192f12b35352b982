import FoundationEssentials
import Glibc
import TestBasics

/// The files and folders of a folder on a disk to which nothing is being written.
struct DiskImage {
    /// The bytes of each file, by its path relative to the folder.
    var files: [String: [UInt8]] = [:]
    var folders: Set<String> = []

    init() {}

    init(of folder: String) {
        files = StateFiles(folder).contents
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] where files[name] == nil {
            folders.insert(name)
        }
    }

    /// Replaces the folder `name` in `folder` with this image.
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
