import SQLCipher
import StoreBasics

/// What is to be written to a file in pieces, and where in it.
package struct FileWriteRequest: Sendable {
    package enum Place: Hashable, Sendable {
        /// In the place of all that the file has; makes a file where there is none.
        case whole
        /// Behind the end of the file; makes one where there is none.
        case end
        /// From this byte on, over what is there and on behind its end: at most the file's size.
        case offset(UInt64)
    }

    package var path: FilePath
    package var place: Place
    /// Whether directories that the path lies in are made too.
    package var createsParents: Bool
    /// Of what will be written, where that is known: neither more nor fewer may come.
    package var byteCount: UInt64?

    package init(path: FilePath, place: Place, createsParents: Bool = false, byteCount: UInt64? = nil) {
        self.path = path
        self.place = place
        self.createsParents = createsParents
        self.byteCount = byteCount
    }
}

/// What a write in pieces is to come to.
enum FileWriteGoal {
    case file(FileWriteRequest)
    case attachment(AttachmentWriteRequest)

    var place: FileWriteRequest.Place {
        switch self {
        case .file(let request): request.place
        case .attachment: .whole
        }
    }

    var byteCount: UInt64? {
        switch self {
        case .file(let request): request.byteCount
        case .attachment(let request): request.byteCount
        }
    }
}

/// Names a write that was begun. Random, so that none names another's by mistake.
package struct FileWriteID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// Everything that can be asked of writes in pieces.
package enum FileWriteCommand: Sendable {
    case begin(FileWriteRequest)
    case beginAttachment(AttachmentWriteRequest)
    /// The piece at `offset` of what is written, which is where the one before it ended; at most
    /// `EngineLimits.filePieceBytesMax` bytes.
    case write(FileWriteID, offset: UInt64, data: [UInt8])
    /// Makes all of it the file's, at once.
    case finish(FileWriteID)
    /// Ends a write before its time; nothing happens when it has ended already.
    case end(FileWriteID)

    /// Ending what may not even be there keeps no store from being locked.
    var isUseOfStore: Bool {
        switch self {
        case .begin, .beginAttachment, .write, .finish: true
        case .end: false
        }
    }

    /// `nil` for one that begins.
    var session: FileWriteID? {
        switch self {
        case .begin, .beginAttachment: nil
        case .write(let id, _, _), .finish(let id), .end(let id): id
        }
    }
}

/// What a `FileWriteCommand` gives.
package enum FileWriteResult: Sendable {
    case begun(FileWriteID)
    case continued(bytesReceived: UInt64)
    case finished(Commit)
    case ended
}

/// Bounds of writes in pieces.
package enum FileWriteLimits {
    /// Those that run at once. Users share them: see `FairShare`.
    package static let sessionsMax = 32
    /// One that nobody uses for so long ends.
    package static let idleSecondsMax = 60
    /// Requests that may wait for their thread.
    package static let waitingRequestsMax = 256
}

extension StoreError {
    static var fileChanged: StoreError {
        StoreError(
            .fileChanged,
            "the file was written, copied or removed after this write began; read the file, and begin another write")
    }

    static var fileWriteNotFound: StoreError {
        StoreError(
            .fileWriteNotFound,
            "the write is not running: it ended, failed or was idle for too long; begin another write")
    }
}
