import ArgumentParser
import Glibc
import StoreClient

struct EncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "Turn lines of protobuf JSON requests into frames, for a pipe to the socket.",
        discussion: """
            ghoststorectl encode < requests.jsonl | socat -t 30 - UNIX-CONNECT:/run/ghoststore/socket | ghoststorectl \
            decode
            """)

    func run() throws {
        let input = try InputFile("-")
        let reader = LineReader(descriptor: input.descriptor)
        let writer = DescriptorWriter(descriptor: STDOUT_FILENO)
        while let line = try reader.next() {
            guard !line.isEmpty else {
                continue
            }
            let text = try RequestLine.text(line, lineNumber: reader.lineNumber)
            let frame: [UInt8]
            do throws(StoreClientError) {
                frame = try Framing.frame(try RequestJSON.payload(json: text))
            } catch {
                throw CommandFailure(.badData, "line \(reader.lineNumber): \(error.message)")
            }
            try writer.write(frame)
        }
        try writer.flush()
    }
}
