import SQLCipher
import StoreBasics

/// The walk over what a directory holds that tells whether paths can still name all of it in another place. What is put
/// into it meanwhile is not looked at again: it can be named where it is, and is reached there once more if it has come
/// too deep.
struct TreeMeasure: Sendable {
    private struct Level {
        let directory: Int64
        /// Of its path in the new place.
        let pathBytes: Int
        /// The last name that was looked at.
        var after = ""
    }

    let origin: Int64
    private let depth: Int
    /// Those that it is within, from the outermost on.
    private var levels: [Level]

    /// - Returns: `nil` where it needs no walk: a file, and a place that is no longer than the one before.
    init?(of row: FileRow, at origin: FilePath, to place: FilePath) {
        guard row.isDirectory, place.names.count > origin.names.count || place.byteCount > origin.byteCount else {
            return nil
        }
        self.origin = row.number
        depth = place.names.count
        levels = [Level(directory: row.number, pathBytes: place.byteCount)]
    }

    /// Looks at some of it.
    ///
    /// - Returns: whether all of it was looked at.
    /// - Throws: `.invalidArgument` for a path that would be too deep or too long.
    mutating func step(_ connection: Connection, _ slice: WorkSlice) throws(StoreError) -> Bool {
        var rowCount = 0
        while let level = levels.last {
            guard rowCount < EngineLimits.stepRowsMax, rowCount == 0 || !slice.isOver else { return false }
            guard let row = try connection.first(Self.childAfter, level.directory, level.after) else {
                levels.removeLast()
                continue
            }
            let name = try row.name(1) as FileName
            let pathBytes = level.pathBytes + 1 + name.text.utf8.count
            guard depth + levels.count <= EngineLimits.fileDepthMax, pathBytes <= EngineLimits.filePathBytesMax else {
                throw .invalidArgument(
                    """
                    an entry in the directory would get a path of more than \(EngineLimits.fileDepthMax) names or \
                    \(EngineLimits.filePathBytesMax) bytes; choose a shorter path
                    """)
            }
            levels[levels.count - 1].after = name.text
            if row.bool(2) {
                levels.append(Level(directory: row.integer(0), pathBytes: pathBytes))
            }
            rowCount += 1
        }
        return true
    }

    private static let childAfter = StatementText(
        """
        SELECT number, name, content IS NULL FROM files WHERE parent = ?1 AND name > ?2 ORDER BY name LIMIT 1
        """)
}
