internal import FoundationEssentials
internal import NIOCore
internal import StoreCrypto
internal import StoreProtocol
internal import SwiftProtobuf

/// Frames that carry a recovery code: serialized with zeros in its place, then patched, so that the code is only ever
/// in locked memory and in the one buffer that is written and wiped.
enum SecretResponse {
    static func frame(
        _ head: ResponseHead, _ answer: AdministrationAnswer, recoveryCode: borrowing SecretBytes
    ) -> ByteBuffer {
        var buffer = ByteBuffer()
        FrameWriter.append(head, result(answer, codeBytes: recoveryCode.count), to: &buffer)
        buffer.withUnsafeMutableReadableBytes { frame in
            let payload = UnsafeMutableRawBufferPointer(rebasing: frame[FrameLimits.headerBytes...])
            guard let places = try? SecretWire.places(inResponse: UnsafeRawBufferPointer(payload)),
                let place = places.first, place.range.count == recoveryCode.count
            else {
                preconditionFailure("a response has a place for its recovery code")
            }
            recoveryCode.withUnsafeBytes { code in
                UnsafeMutableRawBufferPointer(rebasing: payload[place.range]).copyMemory(from: code)
            }
        }
        return buffer
    }

    private static func result(_ answer: AdministrationAnswer, codeBytes: Int) -> WireResponse.OneOf_Result {
        let zeros = Data(count: codeBytes)
        switch answer {
        case .initialized:
            return .initializeStore(.with { $0.recoveryCode = zeros })
        case .keySlotAdded(let slot):
            return .addKeySlot(
                .with {
                    $0.slot = UInt32(clamping: slot)
                    $0.recoveryCode = zeros
                })
        default:
            preconditionFailure("this answer carries no secret")
        }
    }
}

extension ByteBuffer {
    /// Overwrites the whole storage with zeros where it is, without the copy that a shared buffer would make.
    func wipeInPlace() {
        withVeryUnsafeBytes { bytes in
            wipe(UnsafeMutableRawBufferPointer(mutating: bytes))
        }
    }
}
