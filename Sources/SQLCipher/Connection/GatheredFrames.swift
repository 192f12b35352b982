import CSQLCipher

/// Combines the frames of a commit into large writes to the WAL. SQLite itself makes two writes for each frame, one of
/// 24 bytes and one of the page, and a commit may have a thousand frames.
///
/// Readers find a frame only after its commit was added to the WAL's index. SQLite does so after it has written the
/// page of the commit's last frame, which is the frame whose header contains the size of the database
/// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). Therefore the frames before it are buffered until
/// that write. If the write fails, the whole commit fails. All other operations on the file first write the buffered
/// frames.
enum GatheredFrames {
    /// The size of the buffer. It must be less than 128 KiB: the write function of SQLite's unix VFS uses only the
    /// lowest 17 bits of a byte count.
    private static let bytesMax = 64 << 10
    private static let frameHeaderBytes: Int32 = 24

    static func install(_ guarded: GuardedFile.Guarded) {
        guarded.pointee.gathered = .allocate(capacity: bytesMax)
        guarded.pointee.methods.xRead = { file, bytes, byteCount, offset in
            GatheredFrames.withFlushedFrames(file) { _ in GuardedFile.read(file, bytes, byteCount, offset) }
        }
        guarded.pointee.methods.xWrite = { GatheredFrames.write($0, $1, $2, $3) }
        guarded.pointee.methods.xTruncate = { file, byteCount in
            GatheredFrames.withFlushedFrames(file) {
                $0.pointee.original.pointee.xTruncate?(file, byteCount) ?? SQLITE_IOERR
            }
        }
        guarded.pointee.methods.xSync = { file, flags in
            GatheredFrames.withFlushedFrames(file) { $0.pointee.original.pointee.xSync?(file, flags) ?? SQLITE_IOERR }
        }
        guarded.pointee.methods.xFileSize = { file, byteCount in
            GatheredFrames.withFlushedFrames(file) {
                $0.pointee.original.pointee.xFileSize?(file, byteCount) ?? SQLITE_IOERR
            }
        }
    }

    /// Writes the buffered frames, then runs `body` on the file.
    private static func withFlushedFrames(_ file: GuardedFile.File?, _ body: (GuardedFile.Guarded) -> Int32) -> Int32 {
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
            // SQLite starts again at or before the frames that could not be written, so their loss does not matter any
            // more.
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

    /// Writes the buffered frames. If this fails, they are dropped and their commit fails.
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
