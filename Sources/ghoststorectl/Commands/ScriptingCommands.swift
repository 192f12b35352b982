import ArgumentParser
import Glibc
import StoreClient

struct RPCCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rpc", abstract: "Send requests as protobuf JSON, and print the responses as JSON Lines.",
        discussion: """
            A request is one line such as {"getMessage": {"id": "…"}}; proto-docs describes all requests. Each request \
            is sent after the last response to the previous request. Exits 1 if a response is an error. Do not put \
            secrets into requests; 'unlock', 'init' and 'keys' read them safely.
            """)

    @Argument(help: "A request. If it is '-' or missing, each line of standard input is a request.")
    var request: String?

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        var errorCount = 0
        if let request, request != "-" {
            errorCount += try await send(request, session)
        } else {
            let input = try InputFile("-")
            let reader = LineReader(descriptor: input.descriptor)
            while let line = try reader.next() {
                guard !line.isEmpty else { continue }
                let text = try RequestLine.text(line, lineNumber: reader.lineNumber)
                errorCount += try await send(text, session)
            }
        }
        guard errorCount == 0 else {
            throw CommandFailure(.failure, "\(Quantity.count(errorCount, "response")) with an error")
        }
    }

    /// - Returns: The number of responses that are errors.
    private func send(_ request: String, _ session: Session) async throws -> Int {
        let (responses, sink) = AsyncStream.makeStream(of: String.self)
        let client = session.client
        async let call: Void = {
            defer { sink.finish() }
            try await client.rpc(json: request) { sink.yield($0) }
        }()
        var errorCount = 0
        for await response in responses {
            try session.output.line(ResponseLine.shown(response))
            try session.output.flush()
            errorCount += ResponseLine.isError(response) ? 1 : 0
        }
        try await call
        return errorCount
    }
}

/// A line of JSON that should be a request.
enum RequestLine {
    static func text(_ line: [UInt8], lineNumber: UInt64) throws(CommandFailure) -> String {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure(.badData, "line \(lineNumber) is not UTF-8")
        }
        return text
    }
}

/// A line of JSON that is a response.
enum ResponseLine {
    /// Returns the line with the control characters U+007F to U+009F escaped, because protobuf JSON leaves them as they
    /// are and a terminal may obey them. They can occur only inside strings.
    static func shown(_ line: String) -> String {
        guard line.unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) }) else { return line }
        return line.unicodeScalars.reduce(into: "") { text, scalar in
            if (0x7F...0x9F).contains(scalar.value) {
                text += "\\u00" + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    static func isError(_ line: String) -> Bool {
        guard let record = try? JSONRecord(line: Array(line.utf8)) else { return false }
        return record.has("error")
    }
}

struct EncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "Convert lines of protobuf JSON requests to frames, for a pipe to the socket.",
        discussion: """
            ghoststorectl encode < requests.jsonl | socat -t 30 - UNIX-CONNECT:/run/ghoststore/socket | ghoststorectl \
            decode
            """)

    func run() throws {
        let input = try InputFile("-")
        let reader = LineReader(descriptor: input.descriptor)
        let writer = DescriptorWriter(descriptor: ProgramRun.current.output)
        while let line = try reader.next() {
            guard !line.isEmpty else { continue }
            let text = try RequestLine.text(line, lineNumber: reader.lineNumber)
            let frame: [UInt8]
            do throws(StoreClientError) {
                frame = try RequestJSON.frame(json: text)
            } catch {
                throw CommandFailure(.badData, "line \(reader.lineNumber): \(error.message)")
            }
            try writer.write(frame)
        }
        try writer.flush()
    }
}

struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Convert frames with responses to lines of protobuf JSON.",
        discussion: "Exits 65 if the input is cut off, or contains anything but frames with responses.")

    func run() throws {
        let input = try InputFile("-")
        let frames = FrameReader(descriptor: input.descriptor)
        let writer = DescriptorWriter(descriptor: ProgramRun.current.output)
        while let payload = try frames.next() {
            let json: String
            do throws(StoreClientError) {
                json = try ResponseJSON.json(payload: payload)
            } catch {
                throw CommandFailure(.badData, "frame \(frames.frameNumber): \(error.message)")
            }
            try writer.write(ResponseLine.shown(json) + "\n")
            // Each response is printed when it arrives, not only when a buffer is full.
            try writer.flush()
        }
    }
}

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print a completion script for a shell.",
        discussion: """
            bash:  ghoststorectl completions bash > /etc/bash_completion.d/ghoststorectl
            zsh:   ghoststorectl completions zsh > "${fpath[1]}/_ghoststorectl"
            fish:  ghoststorectl completions fish > ~/.config/fish/completions/ghoststorectl.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash
        case zsh
        case fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let output = Output(.people, style: DisplayStyle(descriptor: ProgramRun.current.output))
        try output.line(RootCommand.completionScript(for: CompletionShell(shell)))
        try output.flush()
    }
}

extension CompletionShell {
    fileprivate init(_ shell: CompletionsCommand.Shell) {
        switch shell {
        case .bash: self = .bash
        case .zsh: self = .zsh
        case .fish: self = .fish
        }
    }
}
