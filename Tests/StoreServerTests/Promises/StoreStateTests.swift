import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// Checks which calls succeed in which state of the store, as PROTOCOL.md, "The store's state", lists them.
@Suite struct StoreStateTests {
    /// The calls that are not in `EveryWrite`, as JSON. Calls that change the state of the store come last, ordered so
    /// that each has an effect.
    private static let otherCalls = Scenario.lines(
        #"""
        hello {}
        ping {}
        get_status {}
        get_metrics {}
        cancel {"request_id": "9"}
        get_statistics {}
        get_conversation {"conversation": {"session_id": "a"}}
        list_conversations {}
        list_conversation_members {"conversation": {"session_id": "a"}}
        set_conversation_members {"conversation": {"session_id": "a"}, "members": [{"session_id": "b"}]}
        remove_conversation_members {"conversation": {"session_id": "a"}, "session_ids": ["b"]}
        get_message {"id": "m"}
        list_messages {"conversation": {"session_id": "a"}}
        list_reactions {"message_id": "m"}
        list_attachments {"message_id": "m"}
        read_attachment {"message_id": "m"}
        begin_attachment_write {}
        get_attachment_usage {}
        get_file_usage {}
        search_messages {"query": "a"}
        search_contacts {"query": "a"}
        search_conversations {"query": "a"}
        get_draft {"conversation": {"session_id": "a"}}
        list_drafts {}
        get_contact {"session_id": "a"}
        list_contacts {}
        list_changes {}
        get_scene_values {"scene": "s"}
        list_scenes {}
        read_log {"name": "l"}
        get_log {"name": "l"}
        list_logs {}
        list_files {"directory": {"area": 1}}
        get_file {"path": {"area": 1}}
        read_file {"path": {"area": 1, "path": "f"}}
        begin_file_write {"path": {"area": 1, "path": "f"}, "place": 1}
        write_file {"write": "1", "data": "AQID"}
        finish_file_write {"write": "1"}
        end_file_write {"write": "1"}
        watch {}
        begin_blob_export {"conversation": {"session_id": "a"}}
        read_blob_export {"session": "1"}
        begin_blob_import {"dry_run": true}
        write_blob_import {"session": "$session", "data": "AAAAAA=="}
        finish_blob_import {"session": "$session"}
        end_blob_session {"session": "$session"}
        begin_archive {}
        read_archive {"session": "1"}
        begin_archive_restore {"aim": 1}
        write_archive_restore {"session": "$session", "data": "Z2hvc3QtYXJjaGl2ZSAxCg=="}
        finish_archive_restore {"session": "$session"}
        end_archive_session {"session": "$session"}
        create_replica_group {"device_name": "d", "selection": ["contacts"]}
        invite_replica_device {}
        join_replica_group {"device_name": "d", "code": {"kind": 2, "value": "AAAA"}}
        remove_replica_device {"device": "1"}
        leave_replica_group {}
        get_replica_status {}
        list_lost_edits {}
        dismiss_lost_edit {"id": "1"}
        take_replica_messages {"channel": "device.0000000000000001"}
        hand_in_replica_message {"channel": "device.0000000000000001", "message": "AAAA"}
        create_backup {}
        list_backups {}
        read_backup {"name": "none", "length": 1}
        begin_backup_upload {"total_bytes": "5000"}
        write_backup {"name": "$name", "data": "AAAAAA=="}
        verify_backup {"name": "$name"}
        restore_backup {"name": "$name", "replace_existing": true}
        delete_backup {"name": "$name"}
        check_store {}
        rebuild_search_index {}
        add_key_slot {"secret": SECRET, "new_secret": {"kind": 2}, "low_cost": true}
        remove_key_slot {"secret": SECRET, "slot": 9}
        change_passphrase {"secret": SECRET, "new_secret": SECRET, "low_cost": true}
        rotate_master_key {}
        lock {}
        list_key_slots {}
        unlock {"secret": SECRET}
        initialize_store {"secret": SECRET, "low_cost": true}
        """#)

    @Test(arguments: [RunningServer.Store.absent, .locked])
    func `a closed store answers the documented calls, and all others with the reason`(
        store: RunningServer.Store
    ) async throws {
        let told = try Self.told()
        try await RunningServer.with(store) { server in
            let caller = Scenario.Caller(try server.connect())
            var made: Set<CallKind> = []
            for line in EveryWrite.calls + Self.otherCalls {
                let kind = try #require(EveryWrite.kind(line))
                made.insert(kind)
                let reason = try caller.call(line.replacing("SECRET", with: Self.secret)).error.reason
                if let expected = Self.refusal(of: kind, told[kind] ?? .open, store) {
                    #expect(reason == expected, "\(kind.name)")
                } else {
                    #expect(!["STORE_ABSENT", "STORE_LOCKED", "STORE_EXISTS"].contains(reason), "\(kind.name)")
                }
            }
            #expect(made == Set(CallKind.allCases))
        }
    }

    @Test func `of imports, only a dry run without a conversation works in a locked store`() async throws {
        try await RunningServer.with(.locked) { server in
            try Scenario(
                "dry runs",
                #"""
                begin_blob_import {"dry_run": true, "conversation": {"session_id": "a"}}
                -> STORE_LOCKED
                begin_blob_import {"import_id": "i", "conversation": {"session_id": "a"}}
                -> STORE_LOCKED
                begin_blob_import {"dry_run": true}
                write_blob_import {"session": "$session", "data": "AAAAAA=="}
                -> blob_import_progress "bytes_received":"4"
                finish_blob_import {"session": "$session"}
                -> blob_import_report "is_dry_run":true
                get_status {}
                -> status !revision !history_id
                """#
            ).run(on: server.connect())
        }
    }

    private static let secret = #"{"kind": 1, "value": "dmVjdG9yIHBhc3NwaHJhc2U="}"#

    /// The states of the store in which a call succeeds.
    private enum Answered {
        case always, withStore, withoutStore, open
    }

    private static func told() throws -> [CallKind: Answered] {
        let states: [String: Answered] = [
            "in every state of the store": .always,
            "in every state, for a dry run that names no conversation": .always,
            "in every state, for a restore that only verifies": .always,
            "if a store exists": .withStore, "if no store exists": .withoutStore,
            "while the store is open": .open,
        ]
        let rows = try ProtocolDocument.table(["answered", "calls"])
        #expect(Set(rows.map(\.[0])) == Set(states.keys))
        var told: [CallKind: Answered] = [:]
        for row in rows {
            let answered = try #require(states[row[0]])
            for word in row[1].matches(of: /[a-z_]+/) {
                guard let kind = CallKind.allCases.first(where: { $0.name == word.output }) else { continue }
                check(told.updateValue(answered, forKey: kind), nil)
            }
        }
        return told
    }

    /// Returns the expected error, or `nil` if the call succeeds.
    private static func refusal(of kind: CallKind, _ answered: Answered, _ store: RunningServer.Store) -> String? {
        let isAbsent = store == .absent
        switch answered {
        case .always: return nil
        case .withStore: return isAbsent ? "STORE_ABSENT" : nil
        case .withoutStore: return isAbsent ? nil : "STORE_EXISTS"
        case .open where kind == .readBlobExport || kind == .readArchive: return "BLOB_SESSION_NOT_FOUND"
        case .open: return isAbsent ? "STORE_ABSENT" : "STORE_LOCKED"
        }
    }
}
