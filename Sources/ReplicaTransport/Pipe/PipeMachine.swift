/// The knowledge of a carrier about the other end of a pipe: a value without I/O.
struct PipeMachine {
    /// The files that the other end has, or does not need.
    private var known: Set<FolderFile> = []
    /// For each channel, the number of removed messages that the other end or this one has named.
    private var floors: [String: UInt64] = [:]
    private(set) var isGreeted = false
    /// True if the other end has named all its files, so that files may be sent.
    private(set) var isReady = false
    let name: String

    init(name: String) {
        self.name = name
    }

    /// Processes a frame.
    ///
    /// - Returns: a file to write into the folder.
    /// - Throws: if this end cannot work with the other one.
    mutating func received(_ frame: PipeFrame) throws(TransportError) -> (FolderFile, [UInt8])? {
        guard isGreeted else {
            try greeted(frame)
            return nil
        }
        switch frame {
        case .hello, .other: return nil
        case .known(let files): files.forEach { add($0) }
        case .allKnown: isReady = true
        case .file(let file, let bytes):
            add(file)
            return (file, bytes)
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

    /// Returns the files that the other end lacks, in the given order.
    func missing(among files: [FolderFile]) -> [FolderFile] {
        var floors = floors
        for file in files {
            if let floor = file.floor { floors[file.channel] = max(floor, floors[file.channel] ?? 0) }
        }
        return files.filter { file in
            guard !known.contains(file) else { return false }
            let floor = floors[file.channel] ?? 0
            return file.message.map { $0.sequence > floor } ?? (file.floor.map { $0 >= floor } ?? false)
        }
    }

    /// Records that a file was sent.
    mutating func sent(_ file: FolderFile) {
        add(file)
    }

    private mutating func add(_ file: FolderFile) {
        known.insert(file)
        if let floor = file.floor { floors[file.channel] = max(floor, floors[file.channel] ?? 0) }
    }
}

extension TransportError {
    static let notPipe = TransportError(
        .unexpected,
        "the other end does not answer as a pipe; hint: see what the command prints, such as the greeting of a shell")
}
