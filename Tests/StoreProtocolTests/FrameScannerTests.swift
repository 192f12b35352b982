import StoreBasics
import Testing

@testable import StoreProtocol

/// Returns the payloads that a receiver of these chunks would get, and the fault that ends the scan.
private func payloads(in chunks: [[UInt8]], payloadBytesMax: Int = 1 << 20) -> (payloads: [[UInt8]], fault: FrameFault?)
{
    var received: [UInt8] = []
    var found: [[UInt8]] = []
    for chunk in chunks {
        received += chunk
        while true {
            let scan = received.withUnsafeBytes { FrameScanner.scan($0, payloadBytesMax: payloadBytesMax) }
            if case .invalid(let fault) = scan {
                return (found, fault)
            }
            guard case .frame(let count) = scan else { break }
            found.append(Array(received[4..<(4 + count)]))
            received.removeFirst(4 + count)
        }
    }
    return (found, nil)
}

private func frame(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt32(payload.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + payload
}

@Suite struct FrameScannerTests {
    @Test func `a whole frame is found in single bytes, in batches and in any pieces`() {
        var generator = SplitMix(seed: 7)
        for _ in 0..<50 {
            let sent = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                (0..<Int.random(in: 1...700, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                }
            }
            let stream = sent.flatMap(frame)
            #expect(payloads(in: [stream]).payloads == sent)
            #expect(payloads(in: stream.map { [$0] }).payloads == sent)
            var chunks: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &generator)
                chunks.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(payloads(in: chunks).payloads == sent)
        }
    }

    @Test func `an incomplete header needs more bytes`() {
        for count in 0..<4 {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(bytes.withUnsafeBytes { FrameScanner.scan($0, payloadBytesMax: 100) } == .needHeader)
        }
    }

    @Test func `an incomplete payload gives the size of its frame`() {
        let bytes: [UInt8] = [0, 0, 0, 5, 1, 2]
        #expect(bytes.withUnsafeBytes { FrameScanner.scan($0, payloadBytesMax: 100) } == .needPayload(frameBytes: 9))
    }

    @Test func `length 0 is invalid before any payload`() {
        #expect(payloads(in: [[0, 0, 0, 0]]).fault == .empty)
    }

    @Test func `a length above the maximum is invalid before any payload`() {
        #expect(
            payloads(in: [[0, 0, 0, 101]], payloadBytesMax: 100).fault
                == .tooLarge(payloadBytes: 101, payloadBytesMax: 100))
        #expect(
            payloads(in: [[255, 255, 255, 255]]).fault
                == .tooLarge(payloadBytes: .max, payloadBytesMax: 1 << 20))
    }

    @Test func `a length at the maximum is a frame`() {
        let payload = [UInt8](repeating: 9, count: 100)
        #expect(payloads(in: [frame(payload)], payloadBytesMax: 100).payloads == [payload])
    }
}
