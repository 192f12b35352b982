import StoreBasics
import Testing

@testable import ReplicaTransport

@Suite struct PipeFrameTests {
    private static let channel = "device.0000000000000001"

    private func message(_ sequence: UInt64, _ channel: String = channel) throws -> FolderFile {
        let name = FolderMessageName(sequence: sequence, bytes: [UInt8](repeating: UInt8(sequence), count: 20))
        return try #require(FolderFile(channel: channel, name: name.text))
    }

    private func marker(_ floor: UInt64) throws -> FolderFile {
        try #require(FolderFile(channel: Self.channel, name: ChannelFolder.floorName(floor)))
    }

    @Test func `every frame is the same after encoding and decoding`() throws {
        let frames: [PipeFrame] = [
            .hello(version: 1, name: "family"), .hello(version: 9, name: ""), .known([]),
            .known([try message(1), try marker(1 << 40)]), .allKnown, .file(try message(7), [0, 10, 255]),
            .file(try marker(3), []),
        ]
        for frame in frames {
            let bytes = frame.encoded()
            #expect(Array(bytes.prefix(4)) == [0, 0, 0, UInt8(bytes.count - 4)])
            #expect(PipeFrame(Array(bytes.dropFirst(4))) == frame)
        }
    }

    @Test func `frames and names of a later version are skipped, and other bytes are refused`() throws {
        #expect(PipeFrame([9, 1, 2]) == .other)
        #expect(PipeFrame([4] + Array("device.x/later\0bytes".utf8)) == .other)
        #expect(PipeFrame([2] + Array("device.x/later\n\(try message(1).text)".utf8)) == .known([try message(1)]))
        for bytes: [UInt8] in [
            [], [1], [1] + Array("GSPIP".utf8), Array("Welcome to Debian".utf8), [4, 65], [2, 255],
        ] {
            let frame = PipeFrame(bytes)
            #expect(frame == nil || frame == .other, "\(bytes)")
        }
    }

    @Test func `no name of a file leads out of the group's folder`() throws {
        let name = try #require(message(1).message).text
        for channel in ["..", ".", "", "device.../x", "device./..", "/device.x", "Device.x", "other", "device.é", ".x"]
        {
            #expect(FolderFile(channel: channel, name: name) == nil, "\(channel)")
        }
        for name in ["..", "x", name + ".partial", "/" + name, name.uppercased(), "0.floor", "1.floor", "." + name] {
            #expect(FolderFile(channel: Self.channel, name: name) == nil, "\(name)")
        }
        #expect(FolderFile(text: "\(Self.channel)/x/\(name)") == nil)
        #expect(FolderFile(text: "\(Self.channel)/\(name)") == (try message(1)))
    }

    @Test func `a carrier sends what the other end lacks, and nothing below a marker in its own folder`() throws {
        var machine = PipeMachine(name: "family")
        #expect(try machine.received(.hello(version: 1, name: "family")) == nil)
        let files = try [marker(2)] + (1...6).map { try message($0) }
        #expect(try machine.missing(among: files) == [marker(2)] + (3...6).map { try message($0) })
        // The other end may send a false marker, which claims that all messages are removed. It must not stop the
        // transfer.
        _ = try machine.received(.known([message(4), marker(1 << 40)]))
        #expect(!machine.isReady)
        _ = try machine.received(.allKnown)
        #expect(machine.isReady)
        #expect(try machine.missing(among: files) == [marker(2), message(3), message(5), message(6)])
        let received = try machine.received(.file(message(5), [1]))
        #expect(try received?.0 == message(5))
        for file in try [marker(2), message(3), message(6)] { machine.sent(file) }
        #expect(machine.missing(among: files) == [])
    }

    @Test func `the other end must be a pipe of the same version and group`() throws {
        let greetings: [PipeFrame] = [
            .allKnown, .other, .hello(version: 2, name: "family"), .hello(version: 1, name: "x"),
        ]
        for greeting in greetings {
            var machine = PipeMachine(name: "family")
            #expect(throws: TransportError.self) { _ = try machine.received(greeting) }
        }
    }
}
