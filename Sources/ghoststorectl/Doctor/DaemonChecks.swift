import StoreBasics
import StoreClient

/// Checks of what the daemon reports about itself and its store.
struct DaemonChecks {
    /// The highest acceptable age of the newest backup. The installed systemd timer makes a backup every night.
    private static let backupAgeMicrosecondsMax: Int64 = 7 * 86_400 * 1_000_000

    let status: Status
    let client: StoreClient
    let place: DaemonPlace
    let units: UnitFacts?

    func findings() async -> [Finding] {
        guard status.processID != 0 else {
            return [
                .problem(
                    .daemon,
                    """
                    the daemon answers, but this user has no rights; add an access rule to ghoststored.yaml, or \
                    run the command as root
                    """, mend: "man ghoststored.yaml")
            ]
        }
        return [version, store, loss, keyMemory].compactMap { $0 }
            + [await configuredKey(), await backups()]
            .compactMap { $0 } + (await replication())
    }

    private var version: Finding {
        guard status.serverVersion == ProjectVersion.text else {
            return .problem(
                .daemon,
                "the daemon has version \(status.serverVersion), but ghoststorectl has version "
                    + "\(ProjectVersion.text)", mend: "\(place.systemctl) restart ghoststored.service")
        }
        return .ok(
            .daemon,
            "ghoststored \(status.serverVersion), up "
                + Quantity.duration(milliseconds: status.uptimeMilliseconds))
    }

    /// The finding about the state of the store. Its advice is harmless in every case. Steps that could lose data are
    /// only in the manual.
    private var store: Finding {
        let why = status.storeStateMessage.isEmpty ? "" : ": \(status.storeStateMessage)"
        let text = "the store is \(status.storeState.word)" + why.replacing("; hint: ", with: "; ")
        switch status.storeState {
        case .open: return .ok(.store, text)
        case .locked, .wrongKey, .keyMissing: return .problem(.store, text, mend: "ghoststorectl unlock")
        case .absent: return .problem(.store, "\(text). \(checkBeforeInit)", mend: "ghoststorectl init")
        case .readOnly:
            return .problem(.store, text, mend: "df -h" + (place.stateDirectory.map { " \($0.shellWord)" } ?? ""))
        case .journalDamaged, .rolledBack, .keyringDamaged, .databaseDamaged:
            let cause = text.split(separator: "; stop the daemon").first.map(String.init) ?? text
            return .problem(.store, "\(cause). \(Self.inThisOrder)", mend: place.copyOfState)
        case .newerSchema:
            return .problem(
                .store, "\(text). Install the version of ghoststored that wrote the store; the store is not damaged",
                mend: "ghoststored --version")
        case .storageFailed: return .problem(.store, text, mend: place.logOfDaemon)
        case .unknown: return .problem(.store, text, mend: "ghoststorectl --version")
        }
    }

    /// The advice for the state `absent`: if there was a store before, the person should first check that its disk is
    /// mounted. Without the disk, the state directory is empty, and a new store in it would hide the existing one.
    private var checkBeforeInit: String {
        let directory = place.stateDirectory.map { " \($0)" } ?? ""
        return "If there was a store before, check first that its disk is mounted and that the state directory"
            + "\(directory) is the right one; only then create a new store"
    }

    private static let inThisOrder =
        """
        First stop the daemon and copy the state directory. Then put back the files that were moved or replaced. Only \
        then try the other steps in ghoststored(8)
        """

    /// Reports a configured key that would fail to open the store at the next start. Returns `nil` if the store could
    /// not be opened now, because another finding reports that.
    private func configuredKey() async -> Finding? {
        guard [.open, .readOnly, .locked].contains(status.storeState) else { return nil }
        switch try? await client.configuredKey() {
        case .opensNoSlot:
            let add = place.keyFile.map { "ghoststorectl keys add --new-key-file \($0.shellWord)" }
            return .problem(
                .keyFile,
                "the daemon's configured key opens no key slot: after its next start, the daemon cannot open the store "
                    + "(state wrong-key); add a slot for this key, or configure another key that opens a slot",
                mend: add ?? "ghoststorectl keys list")
        case .unusable:
            return .problem(
                .keyFile,
                """
                the daemon cannot read its configured key, so it cannot open the store after its next start (state \
                key-missing)
                """,
                mend: place.keyFile.map { "ls -l \($0.shellWord)" } ?? "ghoststorectl keys list")
        case .absent, .opensSlot, .unknown, nil: return nil
        }
    }

    private var loss: Finding? {
        guard status.revisionsMissing > 0 else { return nil }
        return .note(
            .loss,
            "when the store was last opened, acknowledged changes were dropped: "
                + Quantity.count(status.revisionsMissing, "acknowledged revision"),
            mend: "ghoststorectl backup list")
    }

    private var keyMemory: Finding {
        guard !status.isMemoryLocked else { return .ok(.keyMemory, "keys are locked into memory") }
        return .problem(
            .keyMemory,
            "keys may be written to swap, because the daemon is not allowed to lock its memory; set LimitMEMLOCK=64M",
            mend: place.kind == .other ? "ulimit -l 65536" : "\(place.systemctl) edit ghoststored.service")
    }

    private func backups() async -> Finding {
        do throws(StoreClientError) {
            let newest = try await client.backups().filter { $0.kind == .made && $0.isComplete }.map(\.createdAt).max()
            guard let newest else { return .problem(.backups, "the daemon keeps no backup", mend: makingBackups) }
            let age = Timestamp.now.microseconds - newest.microseconds
            guard age >= 0 else {
                return .problem(
                    .clock, "the newest backup has a time in the future: the clock was or is wrong", mend: "date")
            }
            let words = Quantity.duration(milliseconds: UInt64(age / 1_000))
            guard age <= Self.backupAgeMicrosecondsMax else {
                return .problem(.backups, "the newest backup is \(words) old", mend: makingBackups)
            }
            return .ok(.backups, "the newest backup is \(words) old")
        } catch {
            return .unknown(.backups, error.message.replacing("; hint: ", with: "; "), mend: place.doctorAsRoot)
        }
    }

    private var makingBackups: String {
        guard place.kind != .other, units?.isActive("ghoststore-backup.timer") == false else {
            return "ghoststorectl backup create"
        }
        return "\(place.systemctl) enable --now ghoststore-backup.timer; ghoststorectl backup create"
    }
}
