import FoundationEssentials
import Glibc
import Logging
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// A datagram socket that plays the systemd journal.
private final class JournalReceiver {
    private let folder: TemporaryDirectory
    private let descriptor: Int32
    var path: String { folder.file("journal") }

    /// - Parameter timeoutMilliseconds: how long `next` waits for an entry.
    init(timeoutMilliseconds: Int = 10_000) throws {
        folder = try TemporaryDirectory()
        let made = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        descriptor = made
        let address = try #require(UnixAddress(path: folder.file("journal")))
        try #require(made >= 0 && address.withSocketAddress { bind(made, $0, $1) } == 0)
        var timeout = timeval(tv_sec: timeoutMilliseconds / 1_000, tv_usec: timeoutMilliseconds % 1_000 * 1_000)
        setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    struct NoEntry: Error {}

    /// Returns the fields of the next entry. Expects that no value contains a line break.
    func next() throws -> [String: String] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw NoEntry() }
        let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
        return try Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let equals = try #require(line.firstIndex(of: "="))
                return (String(line[..<equals]), String(line[line.index(after: equals)...]))
            })
    }
}

private let caller = Caller(uid: 1_000, gid: 1_000, pid: 42)

@Suite(.timeLimit(.minutes(1))) struct AuditTests {
    @Test func `an entry has the expected fields, and none with a name that journald reserves`() throws {
        let receiver = try JournalReceiver()
        let log = AuditLog(.journal(try JournalSocket(path: receiver.path)))
        log.record(.administration(.removeKeySlot, by: caller, slot: 3, failure: .lastKeySlot))
        let fields = try receiver.next()
        #expect(
            fields == [
                "MESSAGE": "administration: remove_key_slot failed (LAST_KEY_SLOT), slot 3, user 1000, process 42",
                "MESSAGE_ID": AuditKind.administration.messageID, "PRIORITY": "4", "SYSLOG_IDENTIFIER": "ghoststored",
                "CALL": "remove_key_slot", "OUTCOME": "failed", "REASON": "LAST_KEY_SLOT", "UID": "1000", "PID": "42",
                "SLOT": "3",
            ])
        // systemd.journal-fields(7): journald reserves names with a leading underscore.
        #expect(fields.keys.allSatisfy { $0.wholeMatch(of: /[A-Z][A-Z_]*/) != nil })
        #expect(log.counts == AuditLog.Counts(written: 1))
    }

    @Test func `a value of several lines is sent with its length`() {
        let bytes = JournalSocket.encode([("A", "1\n2"), ("B", "3")])
        #expect(bytes == Array("A\n".utf8) + [3, 0, 0, 0, 0, 0, 0, 0] + Array("1\n2\nB=3\n".utf8))
    }

    @Test func `every kind has its own message id, which operations_md lists`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = String(decoding: try Data(contentsOf: root.appending(path: "docs/operations.md")), as: UTF8.self)
        #expect(Set(AuditKind.allCases.map(\.messageID)).count == AuditKind.allCases.count)
        for kind in AuditKind.allCases {
            #expect(kind.messageID.wholeMatch(of: /[0-9a-f]{32}/) != nil)
            #expect(text.contains("| \(kind.rawValue) | `\(kind.messageID)` |"), "\(kind)")
        }
    }

    @Test func `a journal that does not read never blocks the daemon, and lost entries are counted`() throws {
        let receiver = try JournalReceiver()
        let full = AuditLog(.journal(try JournalSocket(path: receiver.path)))
        let entries = 1_000
        for _ in 0..<entries {
            full.record(.administration(.lock, by: caller, slot: nil, failure: nil))
        }
        // The kernel queues net.unix.max_dgram_qlen datagrams for a peer that does not read.
        #expect(full.counts.dropped > 0 && full.counts.written > 0)
        #expect(full.counts.dropped + full.counts.written == UInt64(entries))
        let absent = AuditLog(.journal(try JournalSocket(path: "/tmp/no-such-journal-socket")))
        absent.record(.refusal(.permissionDenied, call: .saveMessage, by: caller))
        #expect(absent.counts == AuditLog.Counts(dropped: 1))
    }

    @Test func `repeated refusals of one user are limited and counted, and other entries are not`() throws {
        let receiver = try JournalReceiver()
        let log = AuditLog(.journal(try JournalSocket(path: receiver.path)))
        let burst = Int(AuditPacer.Rate.refusals.burst)
        let count = TestTier.count(2_000, long: 100_000)
        for _ in 0..<count {
            log.record(.refusal(.permissionDenied, call: .saveMessage, by: caller), now: 1)
            if log.counts.written < UInt64(burst) {
                _ = try receiver.next()
            }
        }
        #expect(log.counts.written == UInt64(burst))
        _ = try receiver.next()
        log.record(.refusal(.wrongKey, call: .unlock, by: Caller(uid: 7, gid: 7, pid: 1)), now: 1)
        #expect(try receiver.next()["UID"] == "7")
        log.record(.administration(.lock, by: caller, slot: nil, failure: nil), now: 1)
        #expect(try receiver.next()["CALL"] == "lock")
        log.logSuppressed()
        let told = try receiver.next()
        #expect(told["MESSAGE_ID"] == AuditKind.suppressed.messageID)
        #expect(told["COUNT"] == "\(count - burst)" && told["UID"] == "1000")
        // At the time `later`, the user may cause one more entry.
        let later = 1 + AuditPacer.Rate.refusals.intervalNanoseconds
        log.record(.refusal(.permissionDenied, call: .saveMessage, by: caller), now: later)
        #expect(try receiver.next()["CALL"] == "save_message")
    }

    @Test func `many users take bounded memory and their entries are counted`() {
        var pacer = AuditPacer()
        var refused = 0
        for uid in 0..<UInt32(AuditPacer.usersMax * 2) {
            let entry = AuditEntry.refusal(.permissionDenied, call: .ping, by: Caller(uid: uid, gid: uid, pid: 1))
            if let entry, !pacer.allows(entry, now: 1) {
                refused += 1
            }
        }
        #expect(refused == AuditPacer.usersMax - Int(AuditPacer.Rate.refusals.burst))
        #expect(pacer.drainSuppressed() == [.max: refused])
        #expect(pacer.drainSuppressed().isEmpty)
    }

    @Test func `administration that was rejected before it began has the outcome refused`() {
        let caller = Caller(uid: 1, gid: 1, pid: 1)
        let refused = ErrorReason.allCases.filter {
            AuditEntry.administration(.checkStore, by: caller, slot: nil, failure: $0).outcome == .refused
        }
        #expect(Set(refused) == [.unlockThrottled, .deadlineExceeded, .historyChanged, .queueFull])
    }

    @Test func `failed administration is a warning, except if the store does not exist yet`() {
        func level(_ failure: ErrorReason?) -> Logger.Level {
            AuditEntry.administration(.listKeySlots, by: caller, slot: nil, failure: failure).level
        }
        #expect(level(nil) == .notice && level(.storeAbsent) == .notice)
        for reason in ErrorReason.allCases where reason != .storeAbsent {
            #expect(level(reason) == .warning, "\(reason)")
        }
        #expect(AuditEntry.refusal(.permissionDenied, call: .listKeySlots, by: caller)?.level == .warning)
    }

    @Test func `a failure that the caller did not cause is not audited as a refusal`() {
        for reason in [ErrorReason.messageNotFound, .diskFull, .storeLocked, .internal, .sceneConditionFailed] {
            #expect(AuditEntry.refusal(reason, call: .getMessage, by: caller) == nil, "\(reason)")
        }
        // `WRONG_KEY` means here that the daemon's own key does not open the store. These callers have provided no
        // secret.
        for call in [CallKind.getMessage, .getReplicaStatus, .listMessages] {
            #expect(AuditEntry.refusal(.wrongKey, call: call, by: caller) == nil, "\(call)")
        }
        let listed = AuditEntry.administration(.checkStore, by: caller, slot: nil, failure: .wrongKey)
        #expect(listed.kind == .administration)
        #expect(AuditEntry.refusal(.wrongKey, call: .unlock, by: caller)?.kind == .secretRefused)
        let kinds: KeyValuePairs<ErrorReason, AuditKind> = [
            .permissionDenied: .permissionDenied, .wrongKey: .secretRefused, .unlockThrottled: .secretRefused,
            .tooManyConnections: .limitReached, .queueFull: .limitReached, .memoryExhausted: .limitReached,
            .frameEmpty: .malformed, .callUnknown: .malformed,
        ]
        for (reason, kind) in kinds {
            #expect(AuditEntry.refusal(reason, call: nil, by: caller)?.kind == kind, "\(reason)")
        }
    }
}

/// Checks the entries that a server writes for the calls of one caller.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AuditedCallTests {
    private static let content = "planted content"

    private func audited(
        _ rights: [AccessRight], _ body: (UserServer, RawConnection, JournalReceiver) throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let receiver = try JournalReceiver()
            let server = try UserServer(rights, audit: AuditLog(.journal(try JournalSocket(path: receiver.path))))
            try body(server, try server.connect(), receiver)
            try server.stop()
        }
    }

    private func unlock(_ passphrase: String) -> WireRequest.OneOf_Call {
        .unlock(
            .with {
                $0.secret.kind = .passphrase
                $0.secret.value = Data(passphrase.utf8)
            })
    }

    @Test func `administration is audited, and its outcome distinguishes wrong and throttled secrets`() async throws {
        try await audited([.administration]) { _, connection, journal in
            _ = try connection.call(.lock(.init()), id: 1)
            var entry = try journal.next()
            #expect(entry["CALL"] == "lock" && entry["OUTCOME"] == "done" && entry["REASON"] == nil)
            #expect(entry["UID"] == "1000" && entry["MESSAGE_ID"] == AuditKind.administration.messageID)
            // The fourth attempt is throttled. A very slow machine may let the waiting time pass before it, so that
            // only a later attempt is throttled.
            var isThrottled = false
            for attempt in 1...8 where !isThrottled {
                let answer = try connection.call(unlock("no \(Self.content)"), id: UInt64(10 + attempt)).error
                isThrottled = answer.reason == "UNLOCK_THROTTLED"
                #expect(answer.reason == "WRONG_KEY" || (attempt > 3 && isThrottled))
                entry = try journal.next()
                #expect(entry["CALL"] == "unlock" && entry["REASON"] == answer.reason)
                #expect(entry["OUTCOME"] == (isThrottled ? "refused" : "failed"))
                #expect(entry["MESSAGE_ID"] == AuditKind.secretRefused.messageID)
                #expect(!entry.values.contains { $0.contains(Self.content) })
            }
            #expect(isThrottled)
        }
    }

    @Test func `the entry of an unlock has the slot`() async throws {
        try await audited([.administration]) { _, connection, journal in
            _ = try connection.call(.lock(.init()), id: 1)
            let slot = try connection.call(unlock("passphrase"), id: 2).unlock.slot
            _ = try journal.next()
            let entry = try journal.next()
            #expect(entry["CALL"] == "unlock" && entry["OUTCOME"] == "done" && entry["SLOT"] == "\(slot)")
        }
    }

    @Test func `writes that need the administration right are audited like other administration`() async throws {
        try await audited([.administration]) { _, connection, journal in
            let cleared = try connection.call(.clearAllData_p(.with { $0.confirmation = "clear all data" }))
            #expect(cleared.error.reason == "")
            let entry = try journal.next()
            #expect(entry["CALL"] == "clear_all_data" && entry["OUTCOME"] == "done")
        }
    }

    @Test func `pieces of a backup that are read make one entry, and each failed piece one more`() async throws {
        try await audited([.administration]) { _, connection, journal in
            try connection.send(RawConnection.request(1, .createBackup(.init())))
            var answer = try connection.receive()
            while answer.more {
                answer = try connection.receive()
            }
            let name = answer.backup.name
            #expect(try journal.next()["CALL"] == "create_backup")
            func read(_ name: String, _ offset: UInt64) throws -> String {
                try connection.call(
                    .readBackup(
                        .with {
                            $0.name = name
                            $0.offset = offset
                            $0.length = 64
                        }), id: 100 + offset
                ).error.reason
            }
            #expect(try read(name, 1 << 40) == "INVALID_ARGUMENT")
            for piece in 1..<20 {
                #expect(try read(name, UInt64(piece * 64)) == "")
            }
            #expect(try read("no-such-backup", 0) == "BACKUP_NOT_FOUND")
            for piece in 0..<20 {
                #expect(try read(name, UInt64(piece * 64)) == "")
            }
            _ = try connection.call(.lock(.init()), id: 2)
            let entries = try (0..<5).map { _ in try journal.next() }
            let read = "read_backup"
            #expect(entries.map { $0["CALL"] } == [read, read, read, read, "lock"])
            #expect(entries.map { $0["OUTCOME"] } == ["failed", "done", "failed", "done", "done"])
        }
    }

    @Test func `pieces of a backup that are written make one entry`() async throws {
        try await audited([.administration]) { _, connection, journal in
            let begin = WireBeginBackupUploadRequest.with { $0.totalBytes = 20 * 64 }
            let name = try connection.call(.beginBackupUpload(begin), id: 1).beginBackupUpload.name
            for piece in 0..<20 {
                let answer = try connection.call(
                    .writeBackup(
                        .with {
                            $0.name = name
                            $0.offset = UInt64(piece * 64)
                            $0.data = Data(repeating: 1, count: 64)
                        }), id: UInt64(100 + piece))
                #expect(answer.error.reason == "")
            }
            _ = try connection.call(.lock(.init()), id: 2)
            let entries = try (0..<3).map { _ in try journal.next()["CALL"] }
            #expect(entries == ["begin_backup_upload", "write_backup", "lock"])
        }
    }

    @Test func `calls without a right and malformed frames are audited without their content`() async throws {
        try await audited([]) { _, connection, journal in
            let save = WireSaveMessageRequest.with {
                $0.message.conversation.sessionID = Self.content
                $0.message.text = Self.content
            }
            let refused = try connection.call(.saveMessage(save)).error
            #expect(refused.reason == "PERMISSION_DENIED")
            #expect(refused.message.contains("\"user:1000 messages:write\""))
            var entry = try journal.next()
            #expect(entry["CALL"] == "save_message" && entry["OUTCOME"] == "refused")
            #expect(entry["REASON"] == "PERMISSION_DENIED" && entry["UID"] == "1000")
            #expect(!entry.values.contains { $0.contains(Self.content) })
            try connection.send([0, 0, 0, 0])
            entry = try journal.next()
            #expect(entry["REASON"] == "FRAME_EMPTY" && entry["CALL"] == nil)
        }
    }

    @Test func `a caller without rights learns only the versions and the state of the store`() async throws {
        try await audited([]) { server, connection, _ in
            #expect(try connection.call(.hello(.init())).hello.historyID.isEmpty)
            let status = try connection.call(.getStatus(.init()), id: 1).status
            #expect(status.serverVersion != "" && status.protocolVersion == 1 && status.storeState == .open)
            let rest = WireStatus.with {
                $0.serverVersion = status.serverVersion
                $0.protocolVersion = status.protocolVersion
                $0.storeState = status.storeState
            }
            #expect(status == rest)
            try server.reload([.read(.changes, nil)])
            let more = try connection.call(.getStatus(.init()), id: 2).status
            #expect(more.databaseBytes > 0 && more.processID != 0 && more.fileAreas.isEmpty)
            #expect(try connection.call(.hello(.init())).hello.historyID == more.historyID)
            // A right to one file does not include the totals of all files.
            let pattern = try #require(NamePattern("document/one"))
            try server.reload([.read(.files, pattern)])
            #expect(try connection.call(.getStatus(.init()), id: 3).status.fileAreas.isEmpty)
            try server.reload([.read(.files, nil)])
            #expect(try connection.call(.getStatus(.init()), id: 4).status.fileAreas.count == 5)
        }
    }
}
