import StoreBasics

/// The rights of one caller. Grants only add up; none of them removes a right.
package struct Grants: Sendable, Hashable {
    /// The part of an area that a grant covers: everything, or only the entries whose names match.
    enum Extent: Sendable, Hashable {
        case all
        case matching([NamePattern])

        func adding(_ other: Extent) -> Extent {
            guard case .matching(let mine) = self, case .matching(let others) = other else { return .all }
            return .matching(mine + others)
        }

        func covers(_ name: String?) -> Bool {
            switch self {
            case .all: return true
            case .matching(let patterns):
                guard let name else { return false }
                return patterns.contains { $0.matches(name) }
            }
        }
    }

    private var readable: [Area: Extent] = [:]
    private var writable: [Area: Extent] = [:]
    private var isAdministrator = false
    private var isReplicator = false
    /// True if the caller is root or the daemon's own user, who can read the store's files anyway. No rule grants this.
    private(set) var isOfHost = false

    /// The grants of a caller without any right.
    package static let none = Grants()

    /// Read access to every area, and write access to every area except the metrics, which can only be read.
    package static let allAreas = Grants(
        rights: Area.allCases.map { .read($0, nil) } + Area.inStore.map { .write($0, nil) })

    /// Access to every area, and administration, which includes the rights of replication.
    package static let everything = allAreas.union(Grants(rights: [.administration]))

    /// All rights, and access to the facts about the machine that the daemon shows only to root and its own user.
    static let host: Grants = {
        var grants = everything
        grants.isOfHost = true
        return grants
    }()

    package init(rights: [AccessRight] = []) {
        for right in rights {
            switch right {
            case .read(let area, let pattern): Self.add(pattern, to: area, in: &readable)
            case .write(let area, let pattern): Self.add(pattern, to: area, in: &writable)
            case .administration: isAdministrator = true
            case .replication: isReplicator = true
            }
        }
    }

    var isEmpty: Bool {
        readable.isEmpty && writable.isEmpty && !isAdministrator && !isReplicator
    }

    /// Returns whether the caller may make a request that needs `requirement`.
    ///
    /// - Parameter name: The entry's name in an area that has names. Without a name, only a grant of the whole area
    ///   counts.
    package func allows(_ requirement: AccessRequirement, name: String? = nil) -> Bool {
        switch requirement {
        case .none: true
        case .read(let area): readable[area]?.covers(name) ?? false
        case .write(let area): writable[area]?.covers(name) ?? false
        case .exportBlobs: allows(.read(.blobs), name: name) && allows(.read(.messages))
        case .importBlobs: allows(.write(.blobs), name: name) && allows(.write(.messages))
        case .continueExport: allowsSome(.exportBlobs)
        case .continueImport: allowsSome(.importBlobs)
        case .continueFileWrite: allowsSome(.write(.files)) || allows(.write(.messages))
        case .copyFiles, .moveFiles: allows(.read(.files), name: name) && allows(.write(.files), name: name)
        case .archive: isAdministrator && Area.inStore.allSatisfy { allows(.read($0)) }
        case .restoreArchive: isAdministrator && Area.inStore.allSatisfy { allows(.write($0)) }
        case .wholeStore: allows(.archive) && allows(.restoreArchive)
        case .administration: isAdministrator
        case .replication: isAdministrator || isReplicator
        }
    }

    /// Returns whether the caller may make a request that needs `requirement` for at least one entry.
    package func allowsSome(_ requirement: AccessRequirement) -> Bool {
        switch requirement {
        case .none, .administration, .replication, .archive, .restoreArchive, .wholeStore, .continueExport,
            .continueImport, .continueFileWrite:
            allows(requirement)
        case .read(let area): readable[area] != nil
        case .write(let area): writable[area] != nil
        case .exportBlobs: allowsSome(.read(.blobs)) && allows(.read(.messages))
        case .importBlobs: allowsSome(.write(.blobs)) && allows(.write(.messages))
        case .copyFiles, .moveFiles: allowsSome(.read(.files)) && allowsSome(.write(.files))
        }
    }

    package func union(_ other: Grants) -> Grants {
        var result = self
        result.readable.merge(other.readable) { $0.adding($1) }
        result.writable.merge(other.writable) { $0.adding($1) }
        result.isAdministrator = isAdministrator || other.isAdministrator
        result.isReplicator = isReplicator || other.isReplicator
        return result
    }

    private static func add(_ pattern: NamePattern?, to area: Area, in extents: inout [Area: Extent]) {
        let extent = pattern.map { Extent.matching([$0]) } ?? .all
        extents[area] = extents[area]?.adding(extent) ?? extent
    }
}
