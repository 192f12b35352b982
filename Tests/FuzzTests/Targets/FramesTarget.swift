import StoreBasics
import StoreProtocol

@testable import StoreServer

/// Scans the bytes of a connection for frames and passes their payloads to the request harness, which returns requests
/// or errors.
///
/// Promises: the split of the input into pieces makes no difference; a caller without rights is never accepted where a
/// caller with all rights is rejected; an error carries the id that the request would have had.
enum FramesTarget {
    private static let payloadBytesMax = 1 << 20
    private static let anybody = RequestHarness(permissions: CallPermissions(Grants.none), uid: 1_000)
    private static let administrator = RequestHarness(permissions: CallPermissions(Grants.everything), uid: 0)

    static func run(_ input: [UInt8]) throws {
        let payloads = scan(input, pieceBytes: input.count)
        try BrokenPromise.unless(payloads == scan(input, pieceBytes: 3), "frames do not depend on the pieces")
        for payload in payloads {
            try parse(payload)
        }
        // Most random bytes are not frames. Passing the input as a payload reaches the harness every time.
        try parse(input)
    }

    private static func parse(_ payload: [UInt8]) throws {
        switch (parse(payload, administrator), parse(payload, anybody)) {
        case (.request(let allowed), .request(let free)):
            try BrokenPromise.unless(allowed.id == free.id && allowed.kind == free.kind, "one request, one meaning")
        case (.request(let allowed), .refused(let id, let kind, _)):
            try BrokenPromise.unless(allowed.id == id && allowed.kind == kind, "a refusal names what it refuses")
        case (.refused(let id, _, _), .refused(let other, _, _)):
            try BrokenPromise.unless(id == other, "a refusal names its request")
        case (.refused, .request):
            try BrokenPromise.unless(false, "who has no right gets no further than who has all")
        }
    }

    private static func parse(_ payload: [UInt8], _ harness: RequestHarness) -> ParsedRequest {
        var received = payload
        return received.withUnsafeMutableBytes { harness.parse($0, receivedAt: 1_000) }
    }

    /// Returns the payloads of the frames in `input`, received `pieceBytes` at a time.
    private static func scan(_ input: [UInt8], pieceBytes: Int) -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        var received = 0
        var position = 0
        while true {
            let found = input[position..<received].withUnsafeBytes {
                FrameScanner.scan($0, payloadBytesMax: payloadBytesMax)
            }
            switch found {
            case .invalid: return payloads
            case .frame(let payloadBytes):
                let start = position + FrameLimits.headerBytes
                payloads.append(Array(input[start..<(start + payloadBytes)]))
                position = start + payloadBytes
            case .needHeader, .needPayload:
                guard received < input.count else { return payloads }
                received = min(input.count, received + pieceBytes)
            }
        }
    }

    /// Returns every frame in the protocol's test vectors.
    static func seeds() throws -> [[UInt8]] {
        let folder = "proto-docs/vectors/frames"
        return try ProjectFiles.names(in: folder).filter { $0.hasSuffix(".txt") }.flatMap { name in
            try ProjectFiles.text("\(folder)/\(name)").split(separator: "\n").compactMap { line in
                line.hasPrefix("send: ")
                    ? Hexadecimal.decode(line.dropFirst("send: ".count).split(separator: " ").joined()) : nil
            }
        }
    }
}
