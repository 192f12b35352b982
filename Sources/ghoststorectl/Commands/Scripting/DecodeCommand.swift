import ArgumentParser
import Glibc
import StoreClient

struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Turn frames with responses into lines of protobuf JSON.",
        discussion: "Exits 65 when the input is cut off or is not frames with responses.")

    func run() throws {
        let input = try InputFile("-")
        let frames = FrameReader(descriptor: input.descriptor)
        let writer = DescriptorWriter(descriptor: STDOUT_FILENO)
        while let payload = try frames.next() {
            let json: String
            do throws(StoreClientError) {
                json = try ResponseJSON.json(payload: payload)
            } catch {
                throw CommandFailure(.badData, "frame \(frames.frameNumber): \(error.message)")
            }
            try writer.write(json + "\n")
            // A response is shown when it comes, not when a buffer is full.
            try writer.flush()
        }
    }
}
