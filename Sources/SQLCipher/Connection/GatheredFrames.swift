import CSQLCipher

/// Writes the frames of a commit to the WAL in large pieces: SQLite makes two writes of each frame, one of 24 bytes and
/// one of the page, and a thousand of them are a commit.
///
/// Nobody looks for a frame in the file before its commit is told in the WAL's index, which comes behind the write of
/// the page of the commit's last frame: the one whose header says how many pages the database has
/// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). So frames are kept up to that write, which answers
/// for all of them: where it fails, the commit does. Whatever else is done with the file comes behind what is kept.
enum GatheredFrames {
    /// SQLite's own writes take less than 128 KiB at once.
    private static let bytesMax = 64 << 10
    private static let frameHeaderBytes: Int32 = 24

    static func install(_ guarded: GuardedFile.Guarded) {
        guarded.pointee.gathered = .allocate(capacity: bytesMax)
        guarded.pointee.methods.xRead = { file, bytes, byteCount, offset in
            GatheredFrames.settled(file) { _ in GuardedFile.read(file, bytes, byteCount, offset) }
        }
        guarded.pointee.methods.xWrite = { GatheredFrames.write($0, $1, $2, $3) }
        guarded.pointee.methods.xTruncate = { file, byteCount in
            GatheredFrames.settled(file) { $0.pointee.original.pointee.xTruncate?(file, byteCount) ?? SQLITE_IOERR }
        }
        guarded.pointee.methods.xSync = { file, flags in
            GatheredFrames.settled(file) { $0.pointee.original.pointee.xSync?(file, flags) ?? SQLITE_IOERR }
        }
        guarded.pointee.methods.xFileSize = { file, byteCount in
            GatheredFrames.settled(file) { $0.pointee.original.pointee.xFileSize?(file, byteCount) ?? SQLITE_IOERR }
        }
    }

    /// Does something with the file behind what is kept for it.
    private static func settled(_ file: GuardedFile.File?, _ body: (GuardedFile.Guarded) -> Int32) -> Int32 {
        guard let guarded = GuardedFile.guarded(file) else { return SQLITE_IOERR }
        let result = flush(file, guarded)
        return result == SQLITE_OK ? body(guarded) : result
    }

    private static func write(
        _ file: GuardedFile.File?, _ bytes: UnsafeRawPointer?, _ byteCount: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let guarded = GuardedFile.guarded(file), let bytes else { return SQLITE_IOERR }
        let isHeader = byteCount == frameHeaderBytes
        let isFrame = isHeader || byteCount == guarded.pointee.page_bytes
        if offset <= guarded.pointee.lost_at {
            // What was there is not asked for any more.
            guarded.pointee.lost_at = -1
        }
        var result = SQLITE_OK
        if isFrame, offset == guarded.pointee.written_to {
            result = keep(file, guarded, bytes, Int(byteCount), offset)
        } else {
            result = flush(file, guarded)
            if result == SQLITE_OK {
                result = guarded.pointee.original.pointee.xWrite?(file, bytes, byteCount, offset) ?? SQLITE_IOERR
            }
        }
        guarded.pointee.written_to = result == SQLITE_OK ? offset + sqlite3_int64(byteCount) : -1
        if isHeader {
            guarded.pointee.ends_commit = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == 0 ? 0 : 1
        } else if guarded.pointee.ends_commit != 0 {
            guarded.pointee.ends_commit = 0
            if result == SQLITE_OK {
                result = guarded.pointee.lost_at < 0 ? flush(file, guarded) : SQLITE_IOERR
            }
        }
        return result
    }

    private static func keep(
        _ file: GuardedFile.File?, _ guarded: GuardedFile.Guarded, _ bytes: UnsafeRawPointer, _ byteCount: Int,
        _ offset: sqlite3_int64
    ) -> Int32 {
        if Int(guarded.pointee.gathered_bytes) + byteCount > bytesMax {
            let result = flush(file, guarded)
            guard result == SQLITE_OK else { return result }
        }
        guard let gathered = guarded.pointee.gathered else { return SQLITE_IOERR }
        if guarded.pointee.gathered_bytes == 0 {
            guarded.pointee.gathered_at = offset
        }
        UnsafeMutableRawPointer(gathered + Int(guarded.pointee.gathered_bytes))
            .copyMemory(from: bytes, byteCount: byteCount)
        guarded.pointee.gathered_bytes += Int32(byteCount)
        return SQLITE_OK
    }

    /// What cannot be written is dropped, and the commit that it is of fails.
    private static func flush(_ file: GuardedFile.File?, _ guarded: GuardedFile.Guarded) -> Int32 {
        let byteCount = guarded.pointee.gathered_bytes
        guard byteCount > 0 else { return SQLITE_OK }
        guarded.pointee.gathered_bytes = 0
        let result =
            guarded.pointee.original.pointee.xWrite?(
                file, guarded.pointee.gathered, byteCount, guarded.pointee.gathered_at) ?? SQLITE_IOERR
        if result != SQLITE_OK {
            guarded.pointee.written_to = -1
            guarded.pointee.lost_at = guarded.pointee.gathered_at
        }
        return result
    }
}
