import Glibc
import StoreBasics

/// Checks of the store's directory and its disk.
struct StoreFileChecks {
    /// The free bytes that the disk must have: the reserve, a segment of the journal, and room for a person to act.
    private static let freeBytesMin: UInt64 = 256 << 20

    let place: DaemonPlace
    /// The size of the database; `nil` if the daemon did not report it.
    let databaseBytes: UInt64?

    var findings: [Finding] {
        guard let folder = place.stateDirectory else {
            return [
                .unknown(
                    .stateDirectory,
                    "the state directory is unknown: the daemon names it only to root and to its own user; --config "
                        + "reads it from the daemon's configuration file", mend: place.doctorAsRoot)
            ]
        }
        var facts = stat()
        guard stat(folder, &facts) == 0 else {
            let failure = SystemError.last
            return [.unknown(.stateDirectory, "\(folder): \(failure)", mend: place.doctorAsRoot)]
        }
        return [Self.directory(folder, facts), keyFinding(folder), space(folder)].compactMap { $0 }
    }

    private static func directory(_ folder: String, _ facts: stat) -> Finding {
        guard facts.st_mode & 0o077 == 0 else {
            return .problem(
                .stateDirectory, "other users may enter or read \(folder), mode \(HostChecks.octal(facts.st_mode))",
                mend: "sudo chmod 700 \(folder.shellWord)")
        }
        return .ok(.stateDirectory, "\(folder), mode \(HostChecks.octal(facts.st_mode))")
    }

    /// Returns a finding if the key file is in the store's directory. A key that is copied together with the store
    /// protects nothing.
    private func keyFinding(_ folder: String) -> Finding? {
        guard let file = place.keyFile else { return nil }
        let copy =
            "sudo mkdir -p -m 0700 /etc/credstore && sudo cp -n --preserve=mode \(file.shellWord) "
            + "/etc/credstore/ghoststore-key"
        guard !file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") else {
            return .problem(
                .keyFile,
                """
                the key \(file) is in the folder of the store, so a copy of the folder contains the store and the key. \
                Copy the key to /etc/credstore, and remove key_file from the configuration, so that the daemon uses \
                the copy. When the daemon has opened the store with the copy, move the original away
                """, mend: copy)
        }
        var (key, store) = (stat(), stat())
        guard stat(file, &key) == 0, stat(folder, &store) == 0 else {
            return .unknown(.keyFile, "this user cannot examine \(file)", mend: place.doctorAsRoot)
        }
        guard key.st_mode & 0o077 == 0 else {
            return .problem(.keyFile, "other users may read the key \(file)", mend: "sudo chmod 600 \(file.shellWord)")
        }
        guard key.st_dev != store.st_dev else {
            return .note(
                .keyFile,
                """
                the key \(file) is on the same disk as the store: a person who steals the disk has both
                """)
        }
        return .ok(.keyFile, "the key \(file) is not on the disk of the store")
    }

    /// Checks the free space. A backup, a restore and a key rotation each need room for a second copy of the database.
    private func space(_ folder: String) -> Finding {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return .unknown(.diskSpace, "\(folder): \(SystemError.last)") }
        let free = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
        let wanted = max(Self.freeBytesMin, databaseBytes ?? 0)
        guard free >= wanted else {
            return .problem(
                .diskSpace,
                "\(Quantity.bytes(free)) are free on the disk of the store; a backup or a new master key needs "
                    + "\(Quantity.bytes(wanted)). Old backups also use space: ghoststorectl backup list",
                mend: "df -h \(folder.shellWord)")
        }
        return .ok(.diskSpace, "\(Quantity.bytes(free)) are free on the disk of the store")
    }
}
