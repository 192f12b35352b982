import NIOCore
import StoreBasics
import Synchronization

/// The lines in which tasks of one connection wait.
///
/// The daemon limits some kinds of work for each user, and refuses calls above the limit. Calls of one process then
/// wait in the order in which they were made. Calls of several processes take turns by trying again.
final class WaitingLines: Sendable {
    /// The largest number of large files and attachments that this client writes at once. It is small, so that several
    /// programs of one user seldom reach the daemon's limit of 16, and large enough to keep the daemon's thread busy.
    private static let largeWritesMax = 4
    /// The largest number of refused calls that are tried again at the same time.
    private static let retriedMax = 8
    /// The total room for appends to one file. A small append takes 1, so the number of small appends is practically
    /// unlimited. A large append takes all.
    private static let wholePath = 1 << 30

    let largeWrites: WaitingLine
    /// The line in which calls that the daemon has refused wait until they may be tried again.
    let retries: WaitingLine
    private let fileWrites: SessionLine
    private let blobSessions: SessionLine
    private let eventLoop: any EventLoop
    /// The lines of the files to which a task appends or wants to append.
    private let paths = Mutex<[VaultPath: (line: WaitingLine, userCount: Int)]>([:])

    init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        largeWrites = WaitingLine(capacity: Self.largeWritesMax, on: eventLoop)
        retries = WaitingLine(capacity: Self.retriedMax, on: eventLoop)
        fileWrites = SessionLine(on: eventLoop)
        blobSessions = SessionLine(on: eventLoop)
    }

    func beginning(_ kind: SessionKind) -> SessionLine {
        switch kind {
        case .fileWrite: fileWrites
        case .blob: blobSessions
        }
    }

    /// Waits until the caller may append to a file: alone, or together with other small appends.
    ///
    /// - Returns: True if the caller may append; it must call `leave` afterwards.
    func enter(_ path: VaultPath, alone: Bool, until deadline: UInt64?) async -> Bool {
        let line = paths.withLock { paths in
            let line = paths[path]?.line ?? WaitingLine(capacity: Self.wholePath, on: eventLoop)
            paths[path, default: (line, 0)].userCount += 1
            return line
        }
        let hasEntered = await line.enter(alone ? Self.wholePath : 1, until: deadline)
        if !hasEntered {
            forget(path)
        }
        return hasEntered
    }

    func leave(_ path: VaultPath, alone: Bool) {
        paths.withLock { $0[path]?.line }?.leave(alone ? Self.wholePath : 1)
        forget(path)
    }

    private func forget(_ path: VaultPath) {
        paths.withLock { paths in
            paths[path]?.userCount -= 1
            if paths[path]?.userCount == 0 {
                paths[path] = nil
            }
        }
    }
}

/// The kinds of sessions that calls begin and end. The daemon runs a limited number of them.
enum SessionKind: Hashable {
    case fileWrite
    case blob
}

/// The line of calls that begin a session, one at a time. The first call in line tries until the daemon has room.
struct SessionLine: Sendable {
    let turn: WaitingLine
    /// The first call in line waits here before it tries again. The end of a session of this process ends the wait.
    let ended: WaitingLine

    init(on eventLoop: any EventLoop) {
        turn = WaitingLine(capacity: 1, on: eventLoop)
        ended = WaitingLine(capacity: 1, room: 0, on: eventLoop)
    }
}
