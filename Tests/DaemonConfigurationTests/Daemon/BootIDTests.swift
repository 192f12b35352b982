import Testing

@testable import ghoststored

@Suite struct BootIDTests {
    @Test func `the forms of the service manager and of the kernel give the same id`() {
        let id = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
        #expect(BootID.parse(id) == id)
        #expect(BootID.parse("0A1B2C3D-4e5f-6071-8293-a4b5c6d7e8f9\n") == id)
        for text in ["", "0", id + "0", String(repeating: "x", count: 32), "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f"] {
            #expect(BootID.parse(text) == nil)
        }
    }

    @Test func `this machine has a boot id`() {
        #expect(BootID.current() != nil)
    }
}
