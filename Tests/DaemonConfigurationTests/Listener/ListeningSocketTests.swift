import Glibc
import Logging
import TestBasics
import Testing

@testable import StoreServer

@Suite struct ListeningSocketTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("socket")
    }

    private func create(admitting visitors: ListeningSocket.Visitors = .own) throws(ServerError) -> ListeningSocket {
        try ListeningSocket.create(path: path, admitting: visitors, logger: Logger(label: "test"))
    }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SystemFailure(call: "lstat", number: errno) }
        return status
    }

    @Test func `a new socket listens, excludes other users, and is removed with its lock`() throws {
        let socket = try create()
        defer { close(socket.descriptor) }
        #expect(!socket.isInherited)
        #expect(try status(path).st_mode == S_IFSOCK | 0o660)
        #expect(connectionFailure(to: path) == 0)
        #expect(socket.removeFile())
        #expect(throws: SystemFailure.self) { try status(path) }
        #expect(throws: SystemFailure.self) { try status(path + ".lock") }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file to another group"))
    func `the socket belongs to the configured group`() throws {
        let socket = try create(admitting: .group(12_345))
        defer { close(socket.descriptor) }
        #expect(try status(path).st_gid == 12_345)
        #expect(try status(path).st_mode & 0o777 == 0o660)
    }

    @Test func `a socket for everyone is open to everyone, whatever the umask`() throws {
        let socket = try create(admitting: .everyone)
        defer { close(socket.descriptor) }
        #expect(try status(path).st_mode & 0o777 == 0o666)
    }

    @Test func `a stale socket is replaced`() throws {
        close(try boundSocket(path))
        #expect(connectionFailure(to: path) == ECONNREFUSED)
        let socket = try create()
        defer { close(socket.descriptor) }
        #expect(connectionFailure(to: path) == 0)
    }

    @Test func `a socket in use is never replaced`() throws {
        let live = try boundSocket(path)
        defer { close(live) }
        let before = try status(path).st_ino
        let error = #expect(throws: ServerError.self) { try create() }
        #expect(error?.code == .socketInUse)
        #expect(try status(path).st_ino == before)
        #expect(connectionFailure(to: path) == 0)
    }

    @Test func `a second daemon on the same path fails`() throws {
        let socket = try create()
        defer { close(socket.descriptor) }
        let error = #expect(throws: ServerError.self) { try create() }
        #expect(error?.code == .socketInUse)
        #expect(connectionFailure(to: path) == 0)
    }

    @Test func `another file at the path is not replaced`() throws {
        try folder.write("precious", to: "socket")
        let error = #expect(throws: ServerError.self) { try create() }
        #expect(error?.code == .socketNotCreated)
        #expect(try status(path).st_size == 8)
    }

    @Test func `a link at the path is neither followed nor removed`() throws {
        let target = folder.file("target")
        #expect(symlink(target, path) == 0)
        #expect(throws: ServerError.self) { try create() }
        #expect(try status(path).st_mode & S_IFMT == S_IFLNK)
        #expect(throws: SystemFailure.self) { try status(target) }
    }

    @Test func `only the daemon's own socket is removed`() throws {
        let socket = try create()
        close(socket.descriptor)
        #expect(unlink(path) == 0)
        let other = try boundSocket(path)
        defer { close(other) }
        #expect(!socket.removeFile())
        #expect(connectionFailure(to: path) == 0)
    }

    @Test func `an inherited socket is not removed`() throws {
        let descriptor = try boundSocket(path)
        let socket = try ListeningSocket.adopt(descriptor)
        defer { close(descriptor) }
        #expect(socket.isInherited)
        #expect(socket.path == path)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
        #expect(!socket.removeFile())
        #expect(connectionFailure(to: path) == 0)
    }

    @Test func `only listening Unix stream sockets are accepted from the service manager`() throws {
        let silent = try boundSocket(path, listens: false)
        let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let internet = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        for descriptor in [silent, datagram, internet, file] {
            let error = #expect(throws: ServerError.self) { try ListeningSocket.adopt(descriptor) }
            #expect(error?.code == .configuration)
            close(descriptor)
        }
        #expect(throws: ServerError.self) { try ListeningSocket.adopt(9_999) }
    }

    @Test func `the folder must exist and must not be writable by every user`() throws {
        #expect(throws: ServerError.self) {
            try ListeningSocket.create(path: folder.file("none/socket"), admitting: .own, logger: Logger(label: "test"))
        }
        chmod(folder.path, 0o777)
        let error = #expect(throws: ServerError.self) { try create() }
        #expect(error?.message.contains("writable by every user") == true)
        chmod(folder.path, 0o1777)
        let socket = try create()
        close(socket.descriptor)
    }

    @Test func `a path that is too long is rejected with an explanation`() {
        let long = folder.file(String(repeating: "x", count: 108))
        let error = #expect(throws: ServerError.self) {
            try ListeningSocket.create(path: long, admitting: .own, logger: Logger(label: "test"))
        }
        #expect(error?.message.contains("the system allows 1 to 107") == true)
    }

    @Test func `the credentials of a connection are those of the connected process`() throws {
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { pair.forEach { close($0) } }
        let caller = try PeerCredentials.read(pair[0])
        #expect(caller.uid == geteuid())
        #expect(caller.gid == getegid())
        #expect(caller.pid == getpid())
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(Set(caller.groups) == Set(groups.prefix(Int(count))))
        #expect(throws: ServerError.self) { try PeerCredentials.read(-1) }
    }
}
