import GhostTestSupport
import TestBasics
import Testing

@Suite struct ContactCommandTests {
    @Test func `a contact is saved, shown, blocked and deleted`() async throws {
        try await withControl { control, daemon in
            let avatar = try daemon.directory.write([1, 2, 3], to: "avatar")
            try await control.text(
                "contacts", "save", "bob", "--id", "k1", "--display-name", "Bob", "--notes", "a\nb", "--trusted",
                "--avatar-file", avatar)
            let contact = try #require(try await control.json("contacts", "get", "bob", "--avatar").first)
            #expect(contact["id"] == "k1")
            #expect(contact["display_name"] == "Bob")
            #expect(contact["notes"] == "a\nb")
            #expect(contact["avatar"] == "AQID")
            #expect(contact["is_trusted"] == true)
            #expect(try await control.text("contacts", "get", "bob").contains("trusted     yes"))
            try await control.json("contacts", "block", "bob")
            #expect(try await control.json("contacts", "list", "--blocked").count == 1)
            try await control.text("contacts", "unblock", "bob")
            #expect(try await control.json("contacts", "list", "--blocked").isEmpty)
            try await control.text("contacts", "delete", "bob")
            #expect(try await control.run("contacts", "get", "bob").exitCode == 2)
            #expect(try await control.text("contacts", "list") == "no contacts\n")
        }
    }

    @Test func `blocking creates a missing contact, and unblocking does not`() async throws {
        try await withControl { control, _ in
            try await control.text("contacts", "block", "eve")
            #expect(try await control.text("contacts", "list").contains("blocked"))
            #expect(try await control.run("contacts", "unblock", "mallory").exitCode == 2)
        }
    }
}
