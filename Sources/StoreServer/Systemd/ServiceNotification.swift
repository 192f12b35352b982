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
