import ArgumentParser
import StoreClient

/// A path of the vault on the command line: the area, and names behind it.
extension VaultPath {
    static func argument(_ text: String) throws -> VaultPath {
        guard let path = VaultPath(text) else {
            let areas = VaultArea.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "the path does not begin with an area (\(areas)); hint: write a path such as document/notes/a.txt")
        }
        return path
    }

    /// The directory that it lies in; of a root itself.
    var parent: VaultPath {
        VaultPath(area, names.dropLast().joined(separator: "/"))
    }

    /// Where a file is wanted and the path may be a directory's.
    static func hintOfFile(_ reason: StoreClientError.Reason) -> String? {
        reason == .fileNotFound ? "if it is a directory, use --recursive" : nil
    }

    /// Where the path is to be made.
    ///
    /// - Parameter makesParents: as `--parents` says; `nil`: of a command without it.
    func hintOfParents(_ reason: StoreClientError.Reason, makesParents: Bool? = nil) -> String? {
        guard reason == .parentDirectoryNotFound else { return nil }
        return switch makesParents {
        case nil: "'ghoststorectl files mkdir --parents \(parent)' creates it"
        case false: "--parents creates the missing directories"
        case true: "one name in the path is a file and not a directory: 'ghoststorectl files stat' shows which"
        }
    }

    /// Where something is moved or copied to.
    func hintOfTarget(_ reason: StoreClientError.Reason) -> String? {
        reason == .alreadyExists
            ? "name a path in that directory, or remove the directory first" : hintOfParents(reason)
    }
}
