import Interchange
import Testing

@Suite struct BlobDamageTests {
    private func error(_ file: [UInt8], textBytesMax: Int = 1 << 20) -> InterchangeError? {
        do throws(InterchangeError) {
            _ = try BlobDecoder.decode(file, textBytesMax: textBytesMax)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the error of the decoder that does not know the file's size in advance.
    private func streamedError(_ file: [UInt8]) -> InterchangeError? {
        var decoder = BlobDecoder()
        do throws(InterchangeError) {
            for byte in file {
                decoder.feed([byte])
                while try decoder.next() != nil {}
            }
            try decoder.finish()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a truncated file is an error at the place of the cut`() {
        for length in 1..<SmallBlob.bytes.count {
            let cut = Array(SmallBlob.bytes.prefix(length))
            #expect(error(cut) != nil)
            #expect(streamedError(cut)?.offset == UInt64(length))
        }
    }

    @Test func `an empty file has no messages`() throws {
        #expect(error([]) == nil)
        #expect(streamedError([]) == nil)
        #expect(try BlobDecoder.decode([]).isEmpty)
    }

    @Test func `a byte after the last message is an error at that byte`() {
        let file = SmallBlob.bytes + [0]
        #expect(error(file)?.offset == UInt64(SmallBlob.bytes.count))
        #expect(streamedError(file)?.offset == UInt64(SmallBlob.bytes.count))
    }

    @Test func `negative and impossible counts are errors at byte 0`() {
        #expect(error([0xff, 0xff, 0xff, 0xff])?.offset == 0)
        #expect(error([0xff, 0xff, 0xff, 0xff])?.message.contains("the message count is negative: -1") == true)
        #expect(error([0xff, 0xff, 0xff, 0x7f])?.offset == 0)
        var file = SmallBlob.bytes
        file[0] = 200
        #expect(error(file)?.offset == 0)
    }

    @Test func `negative and impossible lengths are errors at the length's byte`() {
        var file = SmallBlob.bytes
        file[7] = 0x80
        #expect(error(file)?.offset == 4)
        file[7] = 0x7f
        #expect(error(file)?.offset == 4)
        #expect(streamedError(file)?.offset == 4)
    }

    @Test func `a text longer than the limit is an error at the length's byte`() {
        #expect(error(SmallBlob.bytes, textBytesMax: 6) == nil)
        #expect(error(SmallBlob.bytes, textBytesMax: 5)?.offset == 4)
    }

    @Test func `invalid UTF-8 is an error at the first invalid byte`() {
        var file = SmallBlob.bytes
        file[10] = 0x41
        #expect(error(file)?.offset == 9)
        file = SmallBlob.bytes
        file[13] = 0xff
        #expect(error(file)?.offset == 13)
        #expect(error(file)?.message.contains("UTF-8") == true)
    }

    @Test func `an is-sent byte of 2 is an error at that byte`() {
        var file = SmallBlob.bytes
        file[14] = 2
        #expect(error(file)?.offset == 14)
    }

    @Test func `after an error the decoder only repeats the error`() {
        var decoder = BlobDecoder()
        decoder.feed([0xff, 0xff, 0xff, 0xff])
        #expect(throws: InterchangeError.self) { try decoder.next() }
        decoder.feed(SmallBlob.bytes)
        #expect(throws: InterchangeError.self) { try decoder.next() }
        #expect(throws: InterchangeError.self) { try decoder.finish() }
    }

    @Test func `both ways to read agree on whether a file with a changed byte is damaged`() {
        for index in SmallBlob.bytes.indices {
            for change: UInt8 in [1, 0x80, 0xff] {
                var file = SmallBlob.bytes
                file[index] ^= change
                let whole = error(file)
                let streamed = streamedError(file)
                #expect((whole == nil) == (streamed == nil), "byte \(index) ^ \(change)")
                // A decoder that knows the size finds an impossible count or length before it runs out of bytes.
                #expect((whole?.offset ?? 0) <= (streamed?.offset ?? 0), "byte \(index) ^ \(change)")
            }
        }
    }
}
