import CSQLCipher

/// Learns after each commit of a connection how many frames its WAL has (https://www.sqlite.org/c3ref/wal_hook.html).
final class WALObserver {
    private let frames: UnsafeMutablePointer<Int32>
    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
        frames = .allocate(capacity: 1)
        frames.initialize(to: 0)
        _ = sqlite3_wal_hook(
            handle,
            { context, _, _, frameCount in
                context?.assumingMemoryBound(to: Int32.self).pointee = frameCount
                return SQLITE_OK
            }, frames)
    }

    var frameCount: Int {
        Int(frames.pointee)
    }

    func end() {
        _ = sqlite3_wal_hook(handle, nil, nil)
    }

    deinit {
        frames.deallocate()
    }
}
