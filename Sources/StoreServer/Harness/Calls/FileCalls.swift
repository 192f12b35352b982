import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum FileCalls {
    static let createDirectory = CallRule(.write(.files), .write, names: .itself) {
        (request: WireCreateDirectoryRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        return .mutation(.createDirectory(path, createsParents: request.createsParents), of: path.text)
    }

    static let removeDirectory = CallRule(.write(.files), .write, names: .itselfAndBelow) {
        (request: WireRemoveDirectoryRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        return .mutation(.removeDirectory(path, withChildren: request.withChildren), of: path.text)
    }

    static let listFiles = CallRule(.read(.files), .read, names: .below) {
        (request: WireListFilesRequest, _) throws(StoreError) in
        let directory = try FilePath(wire: request.directory)
        let (limit, cursor) = (try request.limit.asLimit(), request.cursor.ifGiven)
        return .read(isLong: true, of: directory.textOfChildren) { (reader, _) throws(StoreError) in
            let page = try reader.files(in: directory, limit: limit, cursor: cursor)
            return .result(.files(WireListFilesResponse(page)))
        }
    }

    static let getFile = CallRule(.read(.files), .read, names: .itself) {
        (request: WireGetFileRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        return .read(isLong: false, of: path.text) { (reader, _) throws(StoreError) in
            try reader.fileItem(at: path).map { .result(.file(WireFile($0))) }
                ?? .failure(.fileNotFound, "there is no file or directory at this path; list the parent directory")
        }
    }

    /// Needs the right to read all files.
    static let getFileUsage = CallRule(.read(.files), .read) {
        (_: WireGetFileUsageRequest, _) throws(StoreError) in
        .read(isLong: false) { (reader, _) throws(StoreError) in
            let areas = try reader.fileUsage().map(WireFileAreaUsage.init)
            return .result(.fileUsage(.with { $0.areas = areas }))
        }
    }

    static let saveFile = CallRule(
        .write(.files), .write, bytesMax: CallLimits.pieceBytesMax, names: .itself
    ) { (request: WireSaveFileRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        return .mutation(
            .saveFile(path, [UInt8](request.data), createsParents: request.createsParents), of: path.text)
    }

    static let appendFile = CallRule(
        .write(.files), .write, bytesMax: CallLimits.pieceBytesMax, names: .itself
    ) { (request: WireAppendFileRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        return .mutation(
            .appendFile(path, [UInt8](request.data), createsParents: request.createsParents), of: path.text)
    }

    static let readFile = CallRule(.read(.files), .read, names: .itself) {
        (request: WireReadFileRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        let offset = request.offset
        let pieceBytesMax = UInt64(FrameLimits.filePieceBytesMax)
        let byteCount = request.byteCount == 0 ? pieceBytesMax : min(request.byteCount, pieceBytesMax)
        let expected = request.expectedRevision == 0 ? nil : request.expectedRevision
        let piece = { @Sendable (reader: StoreReader, mayWait: Bool) throws(StoreError) -> Answer? in
            var memory = PieceMemory()
            let item = try reader.readFile(
                at: path, from: offset, byteCount: byteCount, expecting: expected, mayWait: mayWait
            ) { (count, fill) throws(StoreError) in try memory.fill(count, fill) }
            guard let item else { return nil }
            return .piece(ContentPiece(.fileData, memory, of: item.protobufBytes))
        }
        return .read(Read(pieceOf: byteCount, entry: path.text, piece))
    }

    static let moveFile = CallRule(.moveFiles, .write, names: .itselfAndBelow) {
        (request: WireMoveFileRequest, _) throws(StoreError) in
        let origin = try FilePath(wire: request.origin)
        return .mutation(.moveFile(origin, to: try FilePath(wire: request.place)), of: origin.text)
    }

    static let copyFile = CallRule(.copyFiles, .write, names: .itselfAndBelow) {
        (request: WireCopyFileRequest, _) throws(StoreError) in
        let origin = try FilePath(wire: request.origin)
        return .mutation(.copyFile(origin, to: try FilePath(wire: request.place)), of: origin.text)
    }

    static let deleteFile = CallRule(.write(.files), .write, names: .itself) {
        (request: WireDeleteFileRequest, _) throws(StoreError) in
        let path = try FilePath(wire: request.path)
        return .mutation(.deleteFile(path), of: path.text)
    }
}

extension FilePath {
    init(wire path: WireFilePath) throws(StoreError) {
        let area = try FileArea(wire: path.area)
        self = try FilePath(area, path.path)
    }

    /// The name that an access rule must match before a user may list this directory: its path and a slash.
    fileprivate var textOfChildren: String { text + "/" }

    /// A name below the path that no access rule can spell out. A rule that matches this name matches everything below
    /// the path.
    fileprivate var textOfAnyBelow: String { text + "/\0" }
}

extension Mutation {
    /// The rights for a change of the vault that concerns several entries; `nil` if it concerns one entry and the
    /// call's own right is enough.
    var fileRights: [EntryRight]? {
        if case .moveFile(let origin, let place) = self {
            return origin.rights(.read(.files)) + origin.rights(.write(.files)) + place.rights(.write(.files))
        }
        if case .copyFile(let origin, let place) = self {
            return origin.rights(.read(.files)) + place.rights(.write(.files))
        }
        if case .removeDirectory(let path, withChildren: true) = self {
            return path.rights(.write(.files))
        }
        return nil
    }
}

extension FilePath {
    /// Returns a right to the path itself and to everything that may be below it.
    fileprivate func rights(_ requirement: AccessRequirement) -> [EntryRight] {
        [text, textOfAnyBelow].map { EntryRight(requirement: requirement, name: $0) }
    }
}

extension FileItem {
    var wireKind: WireFileKind {
        switch kind {
        case .directory: .directory
        case .file: .file
        }
    }

    /// The size of a file; 0 for a directory.
    var byteCount: UInt64 {
        switch kind {
        case .directory: 0
        case .file(let byteCount): byteCount
        }
    }
}

extension Read {
    /// Creates a read of a part of a file. A short part that is in the page cache is read on the event loop, because
    /// two changes of thread take longer.
    ///
    /// - Parameters:
    ///   - byteCount: The largest number of bytes that are read.
    ///   - piece: Reads the part; returns `nil` if it would have to wait for the disk and must not.
    init(
        pieceOf byteCount: UInt64, entry: String? = nil,
        _ piece: @escaping @Sendable (StoreReader, _ mayWait: Bool) throws(StoreError) -> Answer?
    ) {
        let isShort = byteCount <= UInt64(EngineLimits.inlineFileBytesMax)
        self.init(
            isLong: true, entryName: entry,
            shortAnswer: isShort
                ? { @Sendable (reader) throws(StoreError) -> Answer? in try piece(reader, false) } : nil,
            answer: { @Sendable (reader, _) throws(StoreError) -> Answer in
                guard let answer = try piece(reader, true) else { throw .fault("a blocking read was not created") }
                return answer
            })
    }
}
