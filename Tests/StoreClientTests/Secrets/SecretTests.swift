import GhostTestSupport
import Glibc
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreClient

@Suite struct SecretTests {
    private func bytes(_ secret: borrowing SecretInput) -> [UInt8] {
        secret.bytes.withUnsafeBytes { Array($0) }
    }

    @Test func `one newline at the end belongs to a key file and not to a passphrase`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("words\n\n".utf8), to: "secret")
        #expect(bytes(try SecretInput(kind: .passphrase, file: path)) == Array("words\n".utf8))
        #expect(bytes(try SecretInput(kind: .keyFile, file: path)) == Array("words\n\n".utf8))
    }

    @Test(arguments: [
        ("words\r\n", "words", true), ("words\r", "words", true), ("words\r\r\n", "words\r", true),
        ("words\n\r", "words\n", true), ("words\n", "words", false), ("wo\rds", "wo\rds", false),
    ])
    func `a Windows line end is not part of a passphrase, and is reported`(
        _ content: String, _ passphrase: String, _ isTold: Bool
    ) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array(content.utf8), to: "secret")
        for kind in [KeySlotKind.passphrase, .recoveryCode] {
            let secret = try SecretInput(kind: kind, file: path)
            #expect(bytes(secret) == Array(passphrase.utf8) && secret.endedInCarriageReturn == isTold)
        }
        let key = try SecretInput(kind: .keyFile, file: path)
        #expect(bytes(key) == Array(content.utf8) && !key.endedInCarriageReturn)
    }

    @Test func `a secret is read from a pipe written in pieces`() async throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(write(ends[1], "half ", 5) == 5)
        #expect(write(ends[1], "whole", 5) == 5)
        close(ends[1])
        defer { close(ends[0]) }
        #expect(bytes(try SecretInput(kind: .passphrase, readingFrom: ends[0])) == Array("half whole".utf8))
    }

    @Test func `the bytes from which a secret was made are wiped`() throws {
        let source = UnsafeMutableRawBufferPointer.allocate(byteCount: 5, alignment: 1)
        defer { source.deallocate() }
        source.copyBytes(from: "words".utf8)
        let secret = try SecretInput(kind: .passphrase, copyingAndWiping: source)
        #expect(Array(source) == [0, 0, 0, 0, 0])
        #expect(bytes(secret) == Array("words".utf8))
    }

    @Test(arguments: [
        (KeySlotKind.passphrase, 1_024, true), (.passphrase, 1_025, false), (.keyFile, 4_096, true),
        (.keyFile, 4_097, false), (.passphrase, 0, false),
    ])
    func `a secret of a wrong length is refused`(kind: KeySlotKind, count: Int, isAllowed: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([UInt8](repeating: 7, count: count), to: "secret")
        if isAllowed {
            #expect(bytes(try SecretInput(kind: kind, file: path)).count == count)
        } else {
            let error = #expect(throws: StoreClientError.self) { _ = try SecretInput(kind: kind, file: path) }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func `an absent file is an input error that names the file`() {
        let error = #expect(throws: StoreClientError.self) {
            _ = try SecretInput(kind: .keyFile, file: "/nonexistent/key")
        }
        #expect(error?.reason == .inputOutputFailed)
        #expect(error?.message.contains("/nonexistent/key") == true)
    }

    @Test func `the two entries of a passphrase are compared by their bytes`() throws {
        let first = try secretInput("abc")
        let same = try secretInput("abc")
        let other = try secretInput("abd")
        let longer = try secretInput("abcd")
        let isSame = first.hasSameBytes(as: same)
        let isOther = first.hasSameBytes(as: other)
        let isLonger = first.hasSameBytes(as: longer)
        #expect(isSame && !isOther && !isLonger)
    }

    @Test func `a line typed at a terminal is read without echo and without its newline`() throws {
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        #expect(main >= 0)
        defer { close(main) }
        let terminal = try openOtherEnd(of: main)
        defer { close(terminal) }
        var before = termios()
        tcgetattr(terminal, &before)

        // The prompt discards everything that was typed before it, so the test types only after the prompt.
        var thread = pthread_t()
        let typist = Unmanaged.passRetained(Typist(main: main))
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Typist>.fromOpaque(context.unsafelyUnwrapped).takeRetainedValue().type()
                return nil
            }, typist.toOpaque())
        let secret = try SecretReader.askWithoutEcho("passphrase: ", terminal: terminal)
        pthread_join(thread, nil)

        let typed = secret.withUnsafeBytes { Array($0) }
        #expect(typed == Array("hidden words".utf8))
        var after = termios()
        tcgetattr(terminal, &after)
        #expect(after.c_lflag == before.c_lflag, "the echo is back on")
    }

    /// Unlocks and opens the terminal that belongs to a /dev/ptmx (ioctl_tty(2)).
    private func openOtherEnd(of main: CInt) throws -> CInt {
        let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
        let getNumber: UInt = 0x8004_5430  // TIOCGPTN
        var zero: CInt = 0
        var number: CInt = 0
        guard ioctl(main, unlock, &zero) == 0, ioctl(main, getNumber, &number) == 0 else {
            throw TestSupportError("no terminal: \(String(cString: strerror(errno)))")
        }
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard terminal >= 0 else { throw TestSupportError("no terminal: \(String(cString: strerror(errno)))") }
        return terminal
    }

    private final class Typist: Sendable {
        let main: CInt

        init(main: CInt) {
            self.main = main
        }

        func type() {
            var seen = [UInt8](repeating: 0, count: 64)
            _ = read(main, &seen, seen.count)
            _ = write(main, "hidden words\nmore", 17)
        }
    }

    @Test func `a recovery code is moved out of the response, which has zeros instead`() throws {
        var response = WireResponse()
        response.id = 3
        response.initializeStore.recoveryCode.append(contentsOf: "ABCD-EFGH".utf8)
        var payload: [UInt8] = try response.serializedBytes()
        let box = try payload.withUnsafeMutableBytes { memory in
            try SecretAnswer.extractCode(from: memory)
        }
        guard let code = box?.take() else {
            Issue.record("no code")
            return
        }
        let taken = code.withUnsafeBytes { Array($0) }
        #expect(taken == Array("ABCD-EFGH".utf8))
        let isTakenAgain = box?.take() != nil
        #expect(!isTakenAgain)
        #expect(!String(decoding: payload, as: UTF8.self).contains("ABCD"))
        let answered = try WireResponse(serializedBytes: payload)
        #expect(answered.initializeStore.recoveryCode.allSatisfy { $0 == 0 })
    }

    @Test func `a recovery code is written with a newline`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([], to: "code")
        let descriptor = open(path, O_WRONLY)
        let code = RecoveryCodeOutput(bytes: try secretInput("ABCD").takeBytes())
        try code.write(to: descriptor)
        close(descriptor)
        #expect(directory.read("code") == "ABCD\n")
    }
}
