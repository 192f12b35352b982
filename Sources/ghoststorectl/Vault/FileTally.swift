import StoreClient

/// The counts of files and directories that were found or copied.
struct FileTally {
    private var fileCount = 0
    private var directoryCount = 0
    private var byteCount: UInt64 = 0

    mutating func count(_ item: VaultItem) {
        if item.kind == .directory {
            countDirectory()
        } else {
            count(bytes: item.contentBytes)
        }
    }

    mutating func count(bytes: UInt64) {
        fileCount += 1
        byteCount += bytes
    }

    /// Removes a file of this size from the counts.
    mutating func uncount(bytes: UInt64) {
        fileCount -= 1
        byteCount -= bytes
    }

    mutating func countDirectory() {
        directoryCount += 1
    }

    /// The bytes of all files so far.
    var bytes: UInt64 { byteCount }

    var sentence: String {
        let files = "\(Quantity.count(fileCount, "file")) (\(Quantity.bytes(byteCount)))"
        return directoryCount == 0
            ? files : files + " and " + Quantity.count(directoryCount, "directory", "directories")
    }

    /// Returns a note about the bytes of a file that an earlier, interrupted copy had already transferred.
    static func resumed(_ bytes: UInt64) -> String {
        bytes == 0 ? "" : "; an earlier run had already copied \(Quantity.bytes(bytes))"
    }

    func json(_ first: JSONObject) -> JSONObject {
        var object = first
        object.add("files", fileCount)
        object.add("directories", directoryCount)
        object.add("bytes", byteCount)
        return object
    }
}
