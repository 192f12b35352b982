import CEpoll
import Glibc
import StoreBasics

/// Carries out an attack with connections that send as fast as the daemon accepts, and reconnect after the daemon has
/// closed them.
final class HostileLoad {
    private struct Connection {
        var descriptor: CInt = -1
        let script: HostileScript
        var frame: [UInt8] = []
        var sentBytes = 0
        var nextFrame = 0
        /// The time on `MonotonicClock` at which the connection is opened again.
        var reopensAt: UInt64 = 0
        var waitsForRoom = false
    }

    private static var reopenAfterNanoseconds: UInt64 { 200_000_000 }
    /// The number of bytes that one connection sends before the other connections take their turn.
    private static var turnBytes: Int { 1 << 20 }

    private let socketPath: String
    private let readsAnswers: Bool
    private let poll: EventPoll
    private var connections: [Connection] = []
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)

    init(_ attack: Attack, socketPath: String) throws(BenchError) {
        self.socketPath = socketPath
        readsAnswers = attack.readsAnswers
        poll = try EventPoll(batchMax: 1_024)
        for index in 0..<attack.connectionCount {
            connections.append(Connection(script: try attack.script(connection: index)))
        }
    }

    func run(seconds: Double) throws(BenchError) {
        let end = MonotonicClock.nanoseconds + seconds.secondsAsNanoseconds
        var opened = 0
        while MonotonicClock.nanoseconds < end {
            // Opens at most 64 connections at a time. Connections that the daemon has closed are opened again.
            for index in connections.indices where connections[index].descriptor < 0 && opened < 64 {
                if connections[index].reopensAt <= MonotonicClock.nanoseconds {
                    try open(index)
                    opened += 1
                }
            }
            opened = 0
            for event in 0..<(try poll.wait(timeoutMilliseconds: 20)) {
                let readiness = poll.readiness(at: event)
                if readsAnswers {
                    receive(readiness.lane)
                }
                if connections[readiness.lane].descriptor >= 0 {
                    try send(readiness.lane)
                }
            }
        }
        for connection in connections where connection.descriptor >= 0 {
            close(connection.descriptor)
        }
    }

    private func open(_ index: Int) throws(BenchError) {
        connections[index].reopensAt = MonotonicClock.nanoseconds + Self.reopenAfterNanoseconds
        guard let descriptor = try? HostileSocket.open(socketPath) else { return }
        connections[index].descriptor = descriptor
        connections[index].frame = []
        connections[index].sentBytes = 0
        connections[index].nextFrame = 0
        connections[index].waitsForRoom = false
        try poll.add(descriptor, lane: index)
        try send(index)
    }

    private func closed(_ index: Int) {
        close(connections[index].descriptor)
        connections[index].descriptor = -1
    }

    private func send(_ index: Int) throws(BenchError) {
        var left = Self.turnBytes
        while left > 0 {
            if connections[index].sentBytes == connections[index].frame.count {
                guard let next = try connections[index].script.frame(connections[index].nextFrame) else {
                    return try wantRoom(index, false)
                }
                connections[index].frame = next
                connections[index].sentBytes = 0
                connections[index].nextFrame += 1
            }
            let sent = connections[index].frame[connections[index].sentBytes...].withUnsafeBytes { rest in
                Glibc.send(connections[index].descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
            }
            guard sent > 0 else {
                if errno == EAGAIN {
                    return try wantRoom(index, true)
                }
                return closed(index)
            }
            connections[index].sentBytes += sent
            left -= sent
        }
        try wantRoom(index, true)
    }

    private func wantRoom(_ index: Int, _ isOn: Bool) throws(BenchError) {
        guard connections[index].waitsForRoom != isOn else { return }
        connections[index].waitsForRoom = isOn
        try poll.watchWritable(connections[index].descriptor, lane: index, isOn)
    }

    private func receive(_ index: Int) {
        let count = recv(connections[index].descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            closed(index)
        }
    }
}

/// Opens sockets as plain descriptors, which the caller closes.
enum HostileSocket {
    static func open(_ path: String) throws(BenchError) -> CInt {
        let socket = try UnixSocket.connect(to: path, isBlocking: false)
        let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw BenchError("dup: \(SystemError.last)") }
        return descriptor
    }
}
