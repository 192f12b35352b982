import StoreProtocol

extension WireFilePath {
    init(_ path: VaultPath) {
        self.init()
        area = WireFileArea(path.area)
        self.path = path.subpath
    }
}

extension WireFileArea {
    fileprivate init(_ area: VaultArea) {
        switch area {
        case .cache: self = .cache
        case .document: self = .document
        case .library: self = .library
        case .notSyncedLibrary: self = .notSyncedLibrary
        case .temporary: self = .temporary
        }
    }
}

extension VaultItem {
    init(_ wire: WireFile) {
        self.init(
            name: wire.name, kind: Kind(wire.kind), contentBytes: wire.byteCount,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            modifiedAt: Timestamp(microseconds: wire.modifiedAtMicroseconds), revision: wire.revision)
    }
}

extension VaultItem.Kind {
    fileprivate init(_ wire: WireFileKind) {
        switch wire {
        case .directory: self = .directory
        case .file: self = .file
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension VaultItemPage {
    init(_ wire: WireListFilesResponse) {
        self.init(items: wire.files.map(VaultItem.init), nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}
