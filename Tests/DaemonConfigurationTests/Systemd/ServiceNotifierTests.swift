import Glibc
import TestBasics
import Testing

@testable import ServiceSupport

@Suite struct ServiceNotifierTests {
    @Test func `messages arrive at a socket with a path`() throws {
        let folder = try TemporaryDirectory()
        let receiver = try NotificationReceiver(folder.file("notify"))
        let notifier = try ServiceNotifier(notifySocket: folder.file("notify"))
        #expect(notifier.isConnected)
        #expect(notifier.send(.ready, .status("two\nlines")))
        #expect(receiver.next() == "READY=1\nSTATUS=two lines")
        #expect(notifier.send(.stopping))
        #expect(receiver.next() == "STOPPING=1")
    }

    @Test func `messages arrive at a socket with an abstract name`() throws {
        let name = "@ghoststore-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let receiver = try NotificationReceiver(name)
        let notifier = try ServiceNotifier(notifySocket: name)
        #expect(notifier.send(.watchdog))
        #expect(receiver.next() == "WATCHDOG=1")
    }

    @Test func `a reload sends RELOADING with the time before it and READY after it`() async throws {
        let folder = try TemporaryDirectory()
        let receiver = try NotificationReceiver(folder.file("notify"))
        let notifier = try ServiceNotifier(notifySocket: folder.file("notify"))
        await notifier.reload {}
        let start = try #require(receiver.next())
        #expect(start.contains(/^RELOADING=1\nMONOTONIC_USEC=[1-9]\d*$/))
        #expect(receiver.next() == "READY=1")
    }

    @Test func `without a service manager nothing is sent`() throws {
        for notifier in [try ServiceNotifier(notifySocket: nil), try ServiceNotifier(notifySocket: ""), .disconnected] {
            #expect(!notifier.isConnected)
            #expect(!notifier.send(.ready))
        }
    }

    @Test func `a service manager that no longer exists causes no error`() throws {
        let notifier = try ServiceNotifier(notifySocket: "/tmp/no-such-notify-socket")
        #expect(!notifier.send(.ready))
    }

    @Test(arguments: ["relative", "vsock:2:1234", "@", "/" + String(repeating: "x", count: 107)])
    func `other addresses are rejected`(address: String) {
        let error = #expect(throws: ServiceError.self) { try ServiceNotifier(notifySocket: address) }
        #expect(error?.code == .configuration)
    }
}
