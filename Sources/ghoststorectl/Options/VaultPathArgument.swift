import ArgumentParser
import StoreClient

/// A path of the vault on the command line: the area, followed by names.
extension VaultPath {
    static func argument(_ text: String) throws -> VaultPath {
        guard let path = VaultPath(text) else {
            let areas = VaultArea.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "the path does not begin with an area (\(areas)); hint: write a path such as document/notes/a.txt")
        }
        return path
    }

    /// The directory that contains the path. A root is its own parent.
    var parent: VaultPath {
        VaultPath(area, names.dropLast().joined(separator: "/"))
    }

    /// Returns advice if the command needs a file and the path may be a directory.
    static func hintOfFile(_ reason: StoreClientError.Reason) -> String? {
        reason == .fileNotFound ? "if it is a directory, use --recursive" : nil
    }

    /// Returns advice if the parent of a path to create does not exist.
    ///
    /// - Parameter makesParents: The value of `--parents`; `nil` if the command does not have the option.
    func hintOfParents(_ reason: StoreClientError.Reason, makesParents: Bool? = nil) -> String? {
        guard reason == .parentDirectoryNotFound else { return nil }
        return switch makesParents {
        case nil: "'ghoststorectl files mkdir --parents \(parent)' creates it"
        case false: "--parents creates the missing directories"
        case true: "one name in the path is a file and not a directory: 'ghoststorectl files stat' shows which"
        }
    }

    /// Returns advice about the target of a move or copy.
    func hintOfTarget(_ reason: StoreClientError.Reason) -> String? {
        reason == .alreadyExists
            ? "if the target is a directory, add the new name to the path of the directory" : hintOfParents(reason)
    }
}
