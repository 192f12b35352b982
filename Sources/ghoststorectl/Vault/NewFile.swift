import Glibc
import StoreBasics

/// A file of a `HostFolder` that is complete once it is in its place, and gone if it never comes there.
struct NewFile: ~Copyable {
    private let file: OwnedDescriptor
    private let folder: OwnedDescriptor
    private let temporaryName: String
    private let name: String
    private let path: String
    private let replacesExisting: Bool

    init(
        file: consuming OwnedDescriptor, folder: consuming OwnedDescriptor, temporaryName: String, name: String,
        path: String, replacesExisting: Bool
    ) {
        self.file = file
        self.folder = folder
        self.temporaryName = temporaryName
        self.name = name
        self.path = path
        self.replacesExisting = replacesExisting
    }

    deinit {
        unlinkat(folder.number, temporaryName, 0)
    }

    var descriptor: Int32 { file.number }

    /// Puts it in its place, once its bytes are durable. A link that has the name is replaced or refused, and not
    /// followed.
    func place() throws(CommandFailure) {
        if replacesExisting {
            guard renameat(folder.number, temporaryName, folder.number, name) == 0 else { throw cannotFinish(.last) }
            return
        }
        do throws(SystemError) {
            try FilePlacement.rename(temporaryName, toFree: name, in: folder.number)
        } catch {
            guard error.number == EEXIST else { throw cannotFinish(error) }
            throw CommandFailure(.cannotCreate, "\(path) is there already; hint: give another folder or --force")
        }
    }

    private func cannotFinish(_ error: SystemError) -> CommandFailure {
        CommandFailure(.inputOutput, "cannot finish \(path): \(error)" + FilePlacement.hint(error))
    }
}

/// Files that become durable together, and then appear: one wait for the disk for many of them.
struct UnplacedFiles {
    /// Each holds two descriptors.
    private static let filesMax = 128

    /// An array cannot hold what cannot be copied.
    private final class Box {
        let file: NewFile

        init(_ file: consuming NewFile) {
            self.file = file
        }
    }

    private var files: [Box] = []

    /// - Parameter folder: on the file system of all of them.
    mutating func add(_ file: consuming NewFile, of folder: borrowing HostFolder) throws(CommandFailure) {
        files.append(Box(file))
        if files.count == Self.filesMax {
            try place(on: folder)
        }
    }

    mutating func place(on folder: borrowing HostFolder) throws(CommandFailure) {
        guard !files.isEmpty else { return }
        try folder.syncFileSystem()
        for box in files {
            try box.file.place()
        }
        files = []
    }
}
