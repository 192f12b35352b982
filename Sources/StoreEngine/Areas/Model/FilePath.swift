import StoreBasics

/// The trees of the vault. The raw values are the names of their roots, and are stored on disk.
package enum FileArea: String, CaseIterable, Hashable, Sendable {
    case cache
    case document
    case library
    /// Like `library`, for files that must not leave the device.
    case notSyncedLibrary
    case temporary
}

package enum FileNameKind: NameKind {
    package static let title = "file name"
    package static let bytesMax = 255
}

/// The name of a file or a directory, stored as sent and compared by bytes.
package typealias FileName = Name<FileNameKind>

/// A path in a tree of the vault. It is never used as a path of the host.
package struct FilePath: Hashable, Sendable {
    package let area: FileArea
    /// The names from the root down; empty for the root itself.
    package let names: [FileName]

    package static func root(of area: FileArea) -> FilePath {
        FilePath(area: area, names: [])
    }

    /// - Parameter text: Names, separated by slashes. Slashes at the start, at the end and next to each other have no
    ///   effect.
    /// - Throws: `.invalidArgument` for `.` and `..`, a NUL, and paths that are longer or deeper than the limits.
    package init(_ area: FileArea, _ text: String) throws(StoreError) {
        var names: [FileName] = []
        // Split by bytes: a slash with a combining mark after it is one character, but still a slash.
        for part in text.utf8.split(separator: UInt8(ascii: "/")) {
            let name = try FileName(String(Substring(part)))
            guard name.text != ".", name.text != ".." else {
                throw .invalidArgument("the path contains . or .. as a name; use the path without them")
            }
            names.append(name)
        }
        guard names.count <= EngineLimits.fileDepthMax else {
            throw .invalidArgument("the path has \(names.count) names; the limit is \(EngineLimits.fileDepthMax)")
        }
        self.init(area: area, names: names)
        guard byteCount <= EngineLimits.filePathBytesMax else {
            throw .invalidArgument("the path has \(byteCount) bytes; the limit is \(EngineLimits.filePathBytesMax)")
        }
    }

    /// - Parameter text: A path, in the form of the property `text`.
    /// - Throws: `.invalidArgument` for any other text.
    package init(text: String) throws(StoreError) {
        let area = text.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard let found = FileArea(rawValue: String(Substring(area))) else {
            throw .invalidArgument("the path is not in an area of the vault")
        }
        try self.init(found, String(Substring(text.utf8.dropFirst(area.count))))
    }

    private init(area: FileArea, names: [FileName]) {
        self.area = area
        self.names = names
    }

    var isRoot: Bool { names.isEmpty }

    /// True if the path is within the limits of paths from clients.
    var canBeNamed: Bool {
        names.count <= EngineLimits.fileDepthMax && byteCount <= EngineLimits.filePathBytesMax
    }

    /// The number of bytes of the names, with a slash between two names.
    var byteCount: Int { names.reduce(max(0, names.count - 1)) { $0 + $1.text.utf8.count } }

    /// The parent directory; `nil` for a root.
    var parent: FilePath? {
        isRoot ? nil : FilePath(area: area, names: names.dropLast())
    }

    /// The directories above the path, from the root down; empty for a root.
    var ancestors: [FilePath] {
        names.indices.map { FilePath(area: area, names: Array(names[..<$0])) }
    }

    /// The name in its directory; the name of the area for a root.
    var lastName: FileName {
        names.last ?? FileName(trusted: area.rawValue)
    }

    /// The names, beginning with the name of the area.
    var namesFromTop: [FileName] {
        [FileName(trusted: area.rawValue)] + names
    }

    func appending(_ name: FileName) -> FilePath {
        FilePath(area: area, names: names + [name])
    }

    /// Returns whether the path is below `other`, at any depth.
    func isBelow(_ other: FilePath) -> Bool {
        area == other.area && names.count > other.names.count && names.starts(with: other.names)
    }

    /// The area and the names, separated by slashes. It is the id in changes, and the name in access rules.
    package var text: String {
        namesFromTop.map(\.text).joined(separator: "/")
    }
}
