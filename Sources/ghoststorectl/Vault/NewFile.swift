import Glibc
import StoreBasics
import StoreClient

/// A file of a `HostFolder` that gets its final name when it is complete. If it never gets that name, it is removed.
struct NewFile: ~Copyable {
    private let file: OwnedDescriptor
    private let folder: OwnedDescriptor
    private let temporaryName: String
    private let name: String
    private let path: String
    /// The path of the file in the vault, if it came from there.
    let source: VaultPath?
    private let replacesExisting: Bool

    init(
        file: consuming OwnedDescriptor, folder: consuming OwnedDescriptor, temporaryName: String, name: String,
        path: String, source: VaultPath?, replacesExisting: Bool
    ) {
        self.file = file
        self.folder = folder
        self.temporaryName = temporaryName
        self.name = name
        self.path = path
        self.source = source
        self.replacesExisting = replacesExisting
    }

    deinit {
        unlinkat(folder.number, temporaryName, 0)
    }

    var descriptor: Int32 { file.number }

    /// Gives the file its final name. The caller must have made the file's bytes durable before. A symbolic link with
    /// the final name is replaced or causes a failure; it is never followed.
    func place() throws(CommandFailure) {
        if replacesExisting {
            guard renameat(folder.number, temporaryName, folder.number, name) == 0 else { throw cannotFinish(.last) }
            return
        }
        do throws(SystemError) {
            try FilePlacement.rename(temporaryName, toFree: name, in: folder.number)
        } catch {
            guard error.number == EEXIST else { throw cannotFinish(error) }
            throw CommandFailure(.cannotCreate, "\(path) exists already; hint: give another folder")
        }
    }

    /// Returns the failure. If the error concerns only this name or folder, the failure has the status `.cannotCreate`,
    /// with which a transfer leaves out the file and continues.
    private func cannotFinish(_ error: SystemError) -> CommandFailure {
        let isObstacle = [EISDIR, ENOTDIR, ENOTEMPTY, EEXIST, EBUSY, EACCES].contains(error.number)
        return CommandFailure(
            isObstacle ? .cannotCreate : .inputOutput, "cannot write \(path): \(error)" + FilePlacement.hint(error))
    }
}

/// Files that are made durable together and then get their names, so that many files need only one wait for the disk.
struct UnplacedFiles {
    /// The largest number of files that do not have their final names yet. It is limited because each file holds two
    /// descriptors.
    private static let filesMax = 128

    /// A file that could not get its final name.
    struct Obstacle {
        let place: VaultPath
        let bytes: UInt64
        let failure: CommandFailure
    }

    /// An array cannot hold values that cannot be copied, so each file is in an object.
    private final class Box {
        let file: NewFile
        let bytes: UInt64

        init(_ file: consuming NewFile, _ bytes: UInt64) {
            self.file = file
            self.bytes = bytes
        }
    }

    private var files: [Box] = []

    /// Adds a file. If this completes a set of `filesMax` files, places all of them.
    ///
    /// - Parameters:
    ///   - bytes: The size of the file.
    ///   - folder: A folder on the file system of all files.
    /// - Returns: The files that could not get their names; all other files got theirs.
    mutating func add(
        _ file: consuming NewFile, _ bytes: UInt64, of folder: borrowing HostFolder
    ) throws(CommandFailure) -> [Obstacle] {
        files.append(Box(file, bytes))
        return files.count == Self.filesMax ? try place(on: folder) : []
    }

    /// Makes all files durable and gives them their final names.
    ///
    /// - Returns: The files that could not get their names; all other files got theirs.
    mutating func place(on folder: borrowing HostFolder) throws(CommandFailure) -> [Obstacle] {
        guard !files.isEmpty else { return [] }
        try folder.syncFileSystem()
        var obstacles: [Obstacle] = []
        for box in files {
            do throws(CommandFailure) {
                try box.file.place()
            } catch {
                guard let place = box.file.source else { throw error }
                obstacles.append(Obstacle(place: place, bytes: box.bytes, failure: error))
            }
        }
        files = []
        return obstacles
    }
}
