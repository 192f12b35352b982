import SQLCipher
import StoreBasics

/// Checks that all paths below a directory are valid after the directory moves to another path. Files and directories
/// that are added during the check are not checked: they have valid paths now, and if one ends up too deep, clients can
/// reach it again after they move the directory back.
struct TreeMeasure: WorkProgress {
    private struct Level {
        let directory: Int64
        /// The bytes of the directory's path at the destination.
        let pathBytes: Int
        /// The last name that was checked.
        var after = ""
    }

    let origin: Int64
    private let depth: Int
    /// The directories on the current path, from the outermost on.
    private var levels: [Level]

    /// - Returns: `nil` if no check is necessary: for a file, and if the destination is not longer than the source.
    init?(of row: FileRow, at origin: FilePath, to place: FilePath) {
        guard row.isDirectory, place.names.count > origin.names.count || place.byteCount > origin.byteCount else {
            return nil
        }
        self.origin = row.number
        depth = place.names.count
        levels = [Level(directory: row.number, pathBytes: place.byteCount)]
    }

    /// Checks some of the paths.
    ///
    /// - Returns: True if all paths were checked.
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
