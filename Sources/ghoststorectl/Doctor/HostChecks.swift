import Glibc
import StoreBasics
import StoreClient

/// Checks of the machine: whether the daemon can work on it, and whether the daemon leaves enough resources for other
/// programs.
struct HostChecks {
    private static let service = "ghoststored.service"
    private static let socketUnit = "ghoststored.socket"

    let place: DaemonPlace
    let units: UnitFacts?

    var findings: [Finding] {
        [Self.configuration] + [unitFinding, socketFinding].compactMap { $0 } + [groupFinding, Self.clock]
    }

    /// The finding about this program's own configuration file and variables.
    private static var configuration: Finding {
        do throws(CommandFailure) {
            _ = try ClientDefaults.read()
            return .ok(.configuration, "all settings of ghoststorectl are valid")
        } catch {
            let editor = ClientDefaultsFile.path.map { "${EDITOR:-vi} \($0.shellWord)" } ?? "env | grep GHOSTSTORE_"
            return .problem(.configuration, error.message, mend: editor)
        }
    }

    private var unitFinding: Finding? {
        guard place.kind != .other else { return nil }
        guard let units else { return .unknown(.units, "systemd does not run here, or does not answer") }
        guard units.value("LoadState", of: Self.service) == "loaded" else {
            return .problem(.units, "the unit \(Self.service) is not installed", mend: "sudo apt install ghoststored")
        }
        let systemctl = place.systemctl
        if units.value("NeedDaemonReload", of: Self.service) == "yes" {
            return .problem(
                .units, "the unit \(Self.service) was changed, and systemd has not read it again",
                mend: "\(systemctl) daemon-reload")
        }
        for unit in [Self.service, Self.socketUnit] where units.value("ActiveState", of: unit) == "failed" {
            let log = place.kind == .user ? "journalctl --user" : "journalctl"
            return .problem(
                .units, "\(unit) has failed; '\(log) -u \(unit) -n 20' shows its last log lines",
                mend: "\(systemctl) reset-failed \(Self.service) \(Self.socketUnit); \(systemctl) restart \(unit)")
        }
        guard units.isActive(Self.service) || units.isActive(Self.socketUnit) else {
            return .problem(
                .units, "neither \(Self.service) nor \(Self.socketUnit) runs",
                mend: "\(systemctl) start \(Self.service)")
        }
        guard units.isEnabled(Self.service) || units.isEnabled(Self.socketUnit) else {
            return .problem(
                .units, "nothing starts the daemon at boot", mend: "\(systemctl) enable \(Self.service)")
        }
        return .ok(.units, "\(Self.service) or \(Self.socketUnit) runs, and one of them is started at boot")
    }

    private var socketFinding: Finding? {
        let path = place.socketPath
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            let failure = SystemError.last
            guard failure.number == ENOENT else {
                return .problem(.socket, "\(path): \(failure)", mend: "namei -l \(path.shellWord)")
            }
            return .problem(
                .socket, "there is no socket \(path): no daemon runs",
                mend: place.kind == .other ? "man ghoststored" : "\(place.systemctl) start \(Self.service)")
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK else {
            return .problem(.socket, "\(path) is not a socket", mend: "ls -l \(path.shellWord)")
        }
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        var folderFacts = stat()
        if stat(folder, &folderFacts) == 0, folderFacts.st_mode & S_IWOTH != 0, folderFacts.st_mode & S_ISVTX == 0 {
            return .problem(
                .socket, "every user can write to \(folder) and put another socket there",
                mend: "sudo chmod o-w \(folder.shellWord)")
        }
        guard access(path, W_OK) == 0 else {
            return .problem(
                .socket,
                "this user has no permission to connect to \(path) (mode \(Self.octal(facts.st_mode)), "
                    + "group \(Accounts.groupName(facts.st_gid)))",
                mend: "sudo gpasswd -a \(Accounts.userName(geteuid())) \(Accounts.groupName(facts.st_gid))")
        }
        return .ok(.socket, "\(path), mode \(Self.octal(facts.st_mode))")
    }

    private var groupFinding: Finding {
        guard geteuid() != 0 else { return .ok(.groups, "root may do everything") }
        guard let group = place.trustedGroup else { return .ok(.groups, "the daemon has no trusted group") }
        guard let entry = getgrnam(group) else {
            return .note(.groups, "the group \(group), whose members the daemon would trust, does not exist")
        }
        let number = entry.pointee.gr_gid
        let user = Accounts.userName(geteuid())
        if Accounts.processGroups.contains(number) {
            return .ok(.groups, "\(user) is in the trusted group \(group)")
        }
        guard Accounts.groups(of: user).contains(number) else {
            return .note(
                .groups,
                """
                \(user) is not in the trusted group \(group), whose members may use every area; \(user) has only \
                the rights that access rules grant
                """)
        }
        return .problem(
            .groups, "\(user) was added to the group \(group) after the last login: log in again",
            mend: "newgrp \(group)")
    }

    /// The finding about the clock. Saved data gets its times from the clock, and old data is deleted by these times.
    private static var clock: Finding {
        guard Timestamp.now > Timestamp(microseconds: 1_767_225_600_000_000) else {
            return .problem(
                .clock, "the clock shows \(Timestamp.now), which is before the release of this program",
                mend: "sudo timedatectl set-ntp true")
        }
        switch HostProgram.output(of: "timedatectl show --property=NTPSynchronized --value") {
        case "yes\n": return .ok(.clock, "the clock is set by a time server")
        case "no\n":
            return .note(
                .clock, "no time server has set the clock", mend: "sudo timedatectl set-ntp true")
        default: return .unknown(.clock, "cannot tell whether a time server sets the clock")
        }
    }

    static func octal(_ mode: mode_t) -> String {
        "0" + String(mode & 0o7777, radix: 8)
    }
}

/// Looks up the names of users and groups, and the groups of a user.
enum Accounts {
    static var effectiveUser: uid_t {
        geteuid()
    }

    static func userName(_ number: uid_t) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? "\(number)"
    }

    static func groupName(_ number: gid_t) -> String {
        getgrgid(number).map { String(cString: $0.pointee.gr_name) } ?? "\(number)"
    }

    /// The groups of this process, as they were at login.
    static var processGroups: Set<gid_t> {
        let count = getgroups(0, nil)
        guard count > 0 else { return [getegid()] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let found = getgroups(count, &groups)
        return Set(groups.prefix(max(0, Int(found)))).union([getegid()])
    }

    /// Returns the groups of a user according to the account database, which may have changed since the user logged in.
    static func groups(of user: String) -> Set<gid_t> {
        var count: Int32 = 256
        var groups = [gid_t](repeating: 0, count: Int(count))
        let base = getpwnam(user)?.pointee.pw_gid ?? getegid()
        guard getgrouplist(user, base, &groups, &count) >= 0 else { return [] }
        return Set(groups.prefix(Int(count)))
    }
}
