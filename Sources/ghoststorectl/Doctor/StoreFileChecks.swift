import Glibc
import StoreBasics

/// What lies where the store lies.
struct StoreFileChecks {
    /// What a full disk is held against: the reserve, a segment of the journal, and room for a person to act.
    private static let freeBytesMin: UInt64 = 256 << 20

    let place: DaemonPlace
    /// `nil` while no daemon tells.
    let databaseBytes: UInt64?

    var findings: [Finding] {
        guard let folder = place.stateDirectory else {
            return [
                .unknown(
                    .stateDirectory, "where the store of a daemon with a socket of its own lies is not known",
                    mend: "ghoststorectl doctor --config ghoststored.yaml")
            ]
        }
        var facts = stat()
        guard stat(folder, &facts) == 0 else {
            let failure = SystemError.last
            return [.unknown(.stateDirectory, "\(folder): \(failure)", mend: "sudo ghoststorectl doctor")]
        }
        return [Self.directory(folder, facts), keyFinding(folder), space(folder)].compactMap { $0 }
    }

    private static func directory(_ folder: String, _ facts: stat) -> Finding {
        guard facts.st_mode & 0o077 == 0 else {
            return .problem(
                .stateDirectory, "others may look into \(folder), mode \(HostChecks.octal(facts.st_mode))",
                mend: "sudo chmod 700 \(folder.shellWord)")
        }
        return .ok(.stateDirectory, "\(folder), mode \(HostChecks.octal(facts.st_mode))")
    }

    /// A key that is copied with the store protects nothing.
    private func keyFinding(_ folder: String) -> Finding? {
        guard let file = place.keyFile else { return nil }
        let move =
            "sudo install -D -m 0600 -o root \(file.shellWord) /etc/credstore/ghoststore-key && sudo rm "
            + file.shellWord
        guard !file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") else {
            return .problem(
                .keyFile,
                "the key \(file) lies in the store's own folder: who copies that has both; without its line "
                    + "key_file the daemon takes the one in /etc/credstore", mend: move)
        }
        var (key, store) = (stat(), stat())
        guard stat(file, &key) == 0, stat(folder, &store) == 0 else {
            return .unknown(.keyFile, "\(file) cannot be seen from here", mend: "sudo ghoststorectl doctor")
        }
        guard key.st_mode & 0o077 == 0 else {
            return .problem(.keyFile, "others may read the key \(file)", mend: "sudo chmod 600 \(file.shellWord)")
        }
        guard key.st_dev != store.st_dev else {
            return .note(.keyFile, "the key \(file) lies on the disk of the store: who gets that has both")
        }
        return .ok(.keyFile, "\(file) lies on another disk than the store")
    }

    /// A backup, a restore and a rotation need room for the database once more.
    private func space(_ folder: String) -> Finding {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return .unknown(.diskSpace, "\(folder): \(SystemError.last)") }
        let free = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
        let wanted = max(Self.freeBytesMin, databaseBytes ?? 0)
        guard free >= wanted else {
            return .problem(
                .diskSpace,
                "\(Quantity.bytes(free)) are free where the store lies; backups and a new master key need "
                    + Quantity.bytes(wanted),
                mend: "ghoststorectl backup prune --keep-last 2 --keep-daily 7")
        }
        return .ok(.diskSpace, "\(Quantity.bytes(free)) are free where the store lies")
    }
}
