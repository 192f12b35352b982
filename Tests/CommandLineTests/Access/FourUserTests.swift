import GhostTestSupport
import Glibc
import TestBasics
import Testing

/// ghoststorectl as four users of the machine: one in the trusted group, one with the right to read messages, one with
/// its own log, and one without any rights.
@Suite(.enabled(if: geteuid() == 0, "only root may run programs as other users"))
struct FourUserTests {
    private enum User: Int, CaseIterable {
        case trusted = 61_001
        case reader = 61_002
        case logger = 61_003
        case nobody = 61_004

        var group: Int {
            self == .trusted ? FourUserTests.trustedGroup : rawValue
        }
    }

    private static let trustedGroup = 61_100
    private static let visitorsGroup = 61_200

    private static var options: TestDaemonOptions {
        var options = TestDaemonOptions()
        options.environment = [
            "GHOSTSTORE_TRUSTED_GROUP": "\(trustedGroup)",
            "GHOSTSTORE_ACCESS_RULES":
                "user:61002 messages:read,conversations:read;user:61003 logs:readwrite:events",
        ]
        return options
    }

    private func run(_ user: User, _ arguments: [String], _ users: OtherUsers) async throws -> ProgramResult {
        try await users.run(user.rawValue, group: user.group, arguments)
    }

    @Test func `each user can do only what the rules grant, and an error names the missing rule`() async throws {
        try await withDaemon(Self.options) { daemon in
            let users = try await OtherUsers(daemon)
            let calls: [(arguments: [String], allowed: Set<User>, rule: String)] = [
                (["messages", "save", "05alice", "hello"], [.trusted], "messages:write"),
                (["logs", "open", "events", "--maximum-bytes", "4096"], [.trusted, .logger], "logs:write:NAME"),
                (["logs", "append", "events", "started"], [.trusted, .logger], "logs:write:NAME"),
                (["logs", "open", "others", "--maximum-bytes", "4096"], [.trusted], "logs:write:NAME"),
                (["logs", "list"], [.trusted], "logs:read"),
                (["messages", "list", "05alice"], [.trusted, .reader], "messages:read"),
                (["conversations", "list"], [.trusted, .reader], "conversations:read"),
                (["contacts", "list"], [.trusted], "contacts:read"),
                (["contacts", "save", "bob"], [.trusted], "contacts:write"),
                (["backup", "list"], [], "administration"),
                (["lock"], [], "administration"),
            ]
            for call in calls {
                for user in User.allCases {
                    let result = try await run(user, call.arguments, users)
                    if call.allowed.contains(user) {
                        #expect(result.exitCode == 0, "\(user) \(call.arguments): \(result.errorOutput)")
                    } else {
                        #expect(result.exitCode == 77, "\(user) \(call.arguments): \(result.output)")
                        let hint = "\"user:\(user.rawValue) \(call.rule)\""
                        #expect(result.errorOutput.contains(hint), "\(user) \(call.arguments): \(result.errorOutput)")
                    }
                }
            }
            for user in User.allCases {
                let status = try await run(user, ["status"], users)
                #expect(status.exitCode == 0 && status.output.contains("open"), "\(status.errorOutput)")
                #expect(status.output.contains("database") == (user != .nobody), "\(status.output)")
            }
        }
    }

    /// One user may read changes but no conversation. The other may write conversations but read none.
    @Test func `a command needs no right to read the names that it shows`() async throws {
        var options = Self.options
        options.environment["GHOSTSTORE_ACCESS_RULES"] = "user:61002 changes:read;user:61003 conversations:write"
        try await withDaemon(options) { daemon in
            let control = Control(daemon)
            for contact in ["05alice", "05bob"] {
                try await control.text("messages", "save", contact, "hello")
            }
            try await control.text("changes", "compact", "--through", "1")
            let users = try await OtherUsers(daemon)
            let calls: [(user: User, arguments: [String], output: String)] = [
                (.reader, ["changes", "list"], "conversation"),
                (.reader, ["changes", "list", "--last", "1"], "message"),
                (
                    .logger, ["conversations", "delete", "05alice", "--yes"],
                    "deleted the conversation and its messages"
                ),
            ]
            for call in calls {
                let result = try await run(call.user, call.arguments, users)
                #expect(result.exitCode == 0, "\(call.arguments): \(result.errorOutput)")
                #expect(result.output.contains(call.output), "\(call.arguments): \(result.output)")
            }
            #expect(
                try await control.text("conversations", "delete", "05bob", "--yes").contains("and its 1 message at"))
            let refused = try await run(.reader, ["conversations", "delete", "05alice", "--yes"], users)
            #expect(refused.exitCode == 77 && refused.errorOutput.contains("conversations:write"))
        }
    }

    @Test func `connect_group keeps all users outside the group from connecting, trusted ones included`() async throws {
        var options = Self.options
        options.environment["GHOSTSTORE_CONNECT_GROUP"] = "\(Self.visitorsGroup)"
        try await withDaemon(options) { daemon in
            let users = try await OtherUsers(daemon)
            for user in User.allCases {
                let result = try await run(user, ["status"], users)
                #expect(result.exitCode == 77)
                #expect(result.errorOutput.contains("SOCKET_FORBIDDEN"), "\(result.errorOutput)")
                #expect(result.errorOutput.contains("connect_group"), "\(result.errorOutput)")
            }
            let visitor = try await users.run(
                User.nobody.rawValue, group: User.nobody.group, alsoIn: Self.visitorsGroup, ["messages", "list", "a"])
            #expect(visitor.exitCode == 77)
            #expect(visitor.errorOutput.contains("PERMISSION_DENIED"), "\(visitor.errorOutput)")
        }
    }
}
