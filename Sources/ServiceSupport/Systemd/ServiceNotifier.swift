import Glibc
import StoreBasics

/// Sends messages to the service manager through the datagram socket named by `NOTIFY_SOCKET` (sd_notify(3)). Without a
/// service manager every message is dropped.
package final class ServiceNotifier: Sendable {
    /// The socket and its destination; `nil` without a service manager.
    private let destination: (descriptor: Int32, address: UnixAddress)?

    /// A notifier without a service manager.
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
                NOTIFY_SOCKET must be an absolute path, or '@' and an abstract name; the path or the name can have 107 \
                bytes at most
                """)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw ServiceError(.system, "the notification socket could not be created: \(SystemError.last)")
        }
        self.init(destination: (descriptor, address))
    }

    /// True if there is a service manager.
    package var isConnected: Bool {
        destination != nil
    }

    /// Sends the notifications as one message. Returns false if the message did not reach the manager. Callers may
    /// ignore the result, because the manager notices missing notifications.
    @discardableResult
    package func send(_ notifications: ServiceNotification...) -> Bool {
        guard let destination else { return false }
        let bytes = Array(notifications.map(\.text).joined(separator: "\n").utf8)
        return destination.address.send(bytes, from: destination.descriptor)
    }

    /// Reports the beginning of a reload, runs it, and reports that the service is ready again.
    package func reload(_ body: () async -> Void) async {
        send(.reloading(monotonicMicroseconds: MonotonicClock.nanoseconds / 1_000))
        await body()
        send(.ready)
    }
}

/// A notification to the service manager, as defined by sd_notify(3).
package enum ServiceNotification: Sendable, Hashable {
    /// The start or a reload is finished.
    case ready
    case stopping
    /// A reload begins. The time of CLOCK_MONOTONIC is required by `Type=notify-reload`.
    case reloading(monotonicMicroseconds: UInt64)
    /// A status line for people, shown by `systemctl status`.
    case status(String)
    /// The service is alive; restarts the watchdog's timer.
    case watchdog

    /// The assignments in the message, one per line.
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
