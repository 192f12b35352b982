import SQLCipher
import StoreBasics

/// A request to write to a file in parts, with the position of the bytes.
package struct FileWriteRequest: Sendable {
    package enum Place: Hashable, Sendable {
        /// The bytes replace the whole content. A missing file is created.
        case whole
        /// The bytes follow the end of the file. A missing file is created.
        case end
        /// The bytes replace existing ones from this offset on, and may go beyond the end. The offset is at most the
        /// file's size.
        case offset(UInt64)
    }

    package var path: FilePath
    package var place: Place
    /// True to create missing directories above the path.
    package var createsParents: Bool
    /// The exact number of bytes that will be written; `nil` if it is not known.
    package var byteCount: UInt64?

    package init(path: FilePath, place: Place, createsParents: Bool = false, byteCount: UInt64? = nil) {
        self.path = path
        self.place = place
        self.createsParents = createsParents
        self.byteCount = byteCount
    }
}

/// The purpose of a write in parts.
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

/// The id of a running write. It is random, so that no client uses another client's write by mistake.
package struct FileWriteID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// All requests about writes in parts.
package enum FileWriteCommand: Sendable {
    case begin(FileWriteRequest)
    case beginAttachment(AttachmentWriteRequest)
    /// Writes the next part, which begins at `offset`, where the previous part ended; at most
    /// `EngineLimits.filePieceBytesMax` bytes.
    case write(FileWriteID, offset: UInt64, data: [UInt8])
    /// Makes the written bytes the file's content, in one commit.
    case finish(FileWriteID)
    /// Ends a write without completing it. Does nothing if it has already ended.
    case end(FileWriteID)

    /// False for the end of a write, which must not delay the locking of the store.
    var isUseOfStore: Bool {
        switch self {
        case .begin, .beginAttachment, .write, .finish: true
        case .end: false
        }
    }

    /// The write that the command is about; `nil` for the commands that begin a write.
    var session: FileWriteID? {
        switch self {
        case .begin, .beginAttachment: nil
        case .write(let id, _, _), .finish(let id), .end(let id): id
        }
    }
}

package enum FileWriteResult: Sendable {
    case begun(FileWriteID)
    case continued(bytesReceived: UInt64)
    case finished(Commit)
    case ended
}

package enum FileWriteLimits {
    /// The most writes that run at once. Users share them, according to `FairShare`.
    package static let sessionsMax = 32
    /// The time after which an unused write ends.
    package static let idleSecondsMax = 60
    /// The most requests that wait for the thread of file writes.
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
