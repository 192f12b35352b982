import NIOCore
import StoreBasics
import Synchronization

/// What tasks of one connection wait for in line.
///
/// The daemon runs a limited number of some things for each user, and refuses what goes beyond. Within a process the
/// calls then wait in the order they were made. Between processes they take turns by trying again.
final class WaitingLines: Sendable {
    /// Large files and attachments that are written at once without being asked for one by one: few enough that
    /// programs of one user seldom meet the daemon's bound of 16, and enough to keep the daemon's thread busy.
    private static let largeWritesMax = 4
    /// Refused calls that are tried again at once.
    private static let retriedMax = 8
    /// Small appends to one file, of which any number go together; a large one goes alone.
    private static let wholePath = 1 << 30

    let largeWrites: WaitingLine
    /// Calls that the daemon had no room for.
    let retries: WaitingLine
    private let fileWrites: SessionLine
    private let blobSessions: SessionLine
    private let eventLoop: any EventLoop
    /// Those that somebody is in or waits for.
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

    /// Waits until the caller may append to a file: alone, or with others that append a little.
    ///
    /// - Returns: whether it may, and has to `leave`.
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

/// Things that the daemon runs a limited number of, and that calls begin and end.
enum SessionKind: Hashable {
    case fileWrite
    case blob
}

/// Calls that begin a session, one at a time: the first in line tries until the daemon has room.
struct SessionLine: Sendable {
    let turn: WaitingLine
    /// Entered by the first in line, which waits to try again; left when a session of this process has ended.
    let ended: WaitingLine

    init(on eventLoop: any EventLoop) {
        turn = WaitingLine(capacity: 1, on: eventLoop)
        ended = WaitingLine(capacity: 1, room: 0, on: eventLoop)
    }
}
