import Glibc
import StoreBasics

/// Talks to the service manager over the datagram socket named by `NOTIFY_SOCKET` (sd_notify(3)). Without a manager
/// every message is dropped.
package final class ServiceNotifier: Sendable {
    /// Where messages go; `nil` without a service manager.
    private let destination: (descriptor: Int32, address: UnixAddress)?

    /// Talks to nobody.
    package static let disconnected = ServiceNotifier(destination: nil)

    private init(destination: (descriptor: Int32, address: UnixAddress)?) {
        self.destination = destination
    }

    deinit {
        if let destination {
            close(destination.descriptor)
        }
    }

    /// - Parameter notifySocket: the value of `NOTIFY_SOCKET`: an absolute path, or `@` and an abstract name.
    /// - Throws: `ServiceError` with code `.configuration` for another kind of address.
    package convenience init(notifySocket: String?) throws(ServiceError) {
        guard let notifySocket, !notifySocket.isEmpty else {
            self.init(destination: nil)
            return
        }
        let address: UnixAddress? =
            switch notifySocket.first {
            case "/": UnixAddress(path: notifySocket)
            case "@": UnixAddress(abstractName: String(notifySocket.dropFirst()))
            default: nil
            }
        guard let address else {
            throw ServiceError(
                .configuration,
                """
                NOTIFY_SOCKET must be an absolute path, or '@' and an abstract name; either has at most 107 bytes
                """)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw ServiceError(.system, "the notification socket could not be created: \(SystemError.last)")
        }
        self.init(destination: (descriptor, address))
    }

    /// True when a service manager listens.
    package var isConnected: Bool {
        destination != nil
    }

    /// Sends the notifications as one message. Returns false when it did not reach the manager, which is never a reason
    /// to fail: the manager notices by itself what it misses.
    @discardableResult
    package func send(_ notifications: ServiceNotification...) -> Bool {
        guard let destination else { return false }
        let bytes = Array(notifications.map(\.text).joined(separator: "\n").utf8)
        return destination.address.send(bytes, from: destination.descriptor)
    }

    /// Says that a reload begins, runs it, and says that the service is ready again.
    package func reload(_ body: () async -> Void) async {
        send(.reloading(monotonicMicroseconds: MonotonicClock.nanoseconds / 1_000))
        await body()
        send(.ready)
    }
}

/// What a service tells its manager, in the words of sd_notify(3).
package enum ServiceNotification: Sendable, Hashable {
    /// Start-up, or a reload, is done.
    case ready
    case stopping
    /// A reload begins; with the time of CLOCK_MONOTONIC, as `Type=notify-reload` wants it.
    case reloading(monotonicMicroseconds: UInt64)
    /// One line for people, shown by `systemctl status`.
    case status(String)
    /// Still alive: restarts the watchdog's timer.
    case watchdog

    /// The assignments, one on each line.
    var text: String {
        switch self {
        case .ready: "READY=1"
        case .stopping: "STOPPING=1"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        case .status(let line): "STATUS=" + line.split(whereSeparator: \.isNewline).joined(separator: " ")
        case .watchdog: "WATCHDOG=1"
        }
    }
}
