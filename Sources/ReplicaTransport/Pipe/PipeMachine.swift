/// The knowledge of a carrier about the other end of a pipe: a value without I/O.
struct PipeMachine {
    /// The files that the other end has.
    private var known: Set<FolderFile> = []
    /// For each channel of this folder, the greatest marker of removed messages.
    private var floors: [String: UInt64] = [:]
    private(set) var isGreeted = false
    /// True if the other end has sent the names of all its files. Only then may files be sent.
    private(set) var isReady = false
    let name: String

    init(name: String) {
        self.name = name
    }

    /// Processes a frame.
    ///
    /// - Returns: a file to write into the folder; `nil` if the frame contains none.
    /// - Throws: if this end cannot work with the other one.
    mutating func received(_ frame: PipeFrame) throws(TransportError) -> (FolderFile, [UInt8])? {
        guard isGreeted else {
            try greeted(frame)
            return nil
        }
        switch frame {
        case .hello, .other: return nil
        case .known(let files): known.formUnion(files)
        case .allKnown: isReady = true
        case .file(let file, let bytes):
            known.insert(file)
            // A join or a snapshot that was removed here must not come back. Messages of a device are accepted in any
            // case, because a false marker could hide them.
            let isRemoved = !file.channel.hasPrefix("device.") && isCovered(file)
            return isRemoved ? nil : (file, bytes)
        }
        return nil
    }

    private mutating func greeted(_ frame: PipeFrame) throws(TransportError) {
        guard case .hello(let version, let otherName) = frame else { throw .notPipe }
        guard version == PipeFrame.version else {
            throw TransportError(
                .refused, "the other end has another version of the pipe; hint: install the same version on both")
        }
        guard otherName == name else {
            throw TransportError(
                .refused, "the other end carries another group; hint: set the same stream.name on both devices")
        }
        isGreeted = true
    }

    /// Returns the files that the other end lacks, in the given order. Messages that a marker in this folder covers are
    /// not needed any more. Markers of the other end do not count, because its folder is not trusted.
    ///
    /// - Parameter files: all files of this folder.
    mutating func missing(among files: [FolderFile]) -> [FolderFile] {
        setFloors(files)
        // Forget removed files. Otherwise `known` would grow for as long as the connection exists.
        if known.count > 2 * files.count + Self.knownMin { known.formIntersection(files) }
        return files.filter { !known.contains($0) && !isCovered($0) }
    }

    /// Records the markers of this folder.
    mutating func setFloors(_ files: [FolderFile]) {
        floors = [:]
        for file in files {
            if let floor = file.floor { floors[file.channel] = max(floor, floors[file.channel] ?? 0) }
        }
    }

    private func isCovered(_ file: FolderFile) -> Bool {
        file.message.map { $0.sequence <= floors[file.channel] ?? 0 } ?? false
    }

    mutating func sent(_ file: FolderFile) {
        known.insert(file)
    }

    private static let knownMin = 10_000
}

extension TransportError {
    static let notPipe = TransportError(
        .unexpected,
        "the other end does not answer as a pipe; hint: see what the command prints, such as the greeting of a shell")
}
