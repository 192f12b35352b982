import Glibc
import StoreBasics

/// What the frames of a WAL file tell without a key: whether SQLite passes over commits in it.
///
/// SQLite takes the frames up to the last commit whose checksums follow each other from the header, and passes over the
/// rest without a word: see https://www.sqlite.org/walformat.html. The rest is ordinary where it never was a commit:
/// what was written when a kill came, or what a rolled back transaction left behind the next one. But a frame that ends
/// a commit of this log, behind one that does not fit, says that the log was damaged, or that the power failed before
/// it was synced, when nobody had been answered about it yet.
package struct WriteAheadLogScan: Hashable, Sendable {
    /// The two salts of the header, which every log after a complete checkpoint has anew; `nil` without a header.
    package private(set) var salts: WriteAheadLogSalts?
    /// Frames whose checksums follow each other from the header.
    package private(set) var validFrames = 0
    /// Of these, frames to the end of the last commit: what SQLite takes.
    package private(set) var committedFrames = 0
    /// Frames from the first that does not fit to the end of the last commit of this log behind it; every frame where
    /// the header is damaged; 0 where there is no such commit.
    package private(set) var ignoredFrames = 0

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    /// Either magic number; the last bit tells the byte order of checksums.
    private static let magic: UInt32 = 0x377f_0682
    private static let framesPerRead = 256

    /// - Parameter path: of a WAL nobody writes to.
    /// - Returns: zeros for a missing file, and for one too short for a frame.
    /// - Throws: `.inputOutput`.
    package init(path: String, pageBytes: Int) throws(SQLCipherError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw SQLCipherError(kind: .inputOutput, operation: "log scan") }
            return
        }
        defer { close(descriptor) }
        let frameBytes = Self.frameHeaderBytes + pageBytes
        let header = try Self.read(descriptor, at: 0, bytes: Self.headerBytes)
        guard header.count == Self.headerBytes else { return }
        var chain = Chain(header: header, pageBytes: pageBytes)
        var offset = Self.headerBytes
        while true {
            let piece = try Self.read(descriptor, at: offset, bytes: Self.framesPerRead * frameBytes)
            let frames = piece.count / frameBytes
            for index in 0..<frames {
                chain?.take(piece[(index * frameBytes)..<((index + 1) * frameBytes)])
            }
            ignoredFrames += chain == nil ? frames : 0
            guard frames == Self.framesPerRead else { break }
            offset += piece.count
        }
        if let chain {
            salts = WriteAheadLogSalts(header: header)
            validFrames = chain.validFrames
            committedFrames = chain.committedFrames
            ignoredFrames = chain.ignoredFrames
        }
    }

    /// The frames as they follow each other.
    private struct Chain {
        private(set) var validFrames = 0
        private(set) var committedFrames = 0
        private var isBroken = false
        private var framesBehind = 0
        private var framesThroughLastCommitBehind = 0
        private let salts: [UInt8]
        private let isBigEndian: Bool
        private var first: UInt32
        private var second: UInt32

        /// The one that does not fit, and those behind it as far as a commit of this log reaches.
        var ignoredFrames: Int { framesThroughLastCommitBehind == 0 ? 0 : framesThroughLastCommitBehind + 1 }

        /// `nil` for what is no header of a log with pages of this size.
        init?(header: [UInt8], pageBytes: Int) {
            let magic = Self.number(header[0..<4])
            guard magic & ~1 == WriteAheadLogScan.magic, Self.number(header[8..<12]) == UInt32(pageBytes) else {
                return nil
            }
            isBigEndian = magic & 1 == 1
            salts = Array(header[16..<24])
            (first, second) = (0, 0)
            add(header[0..<24])
            guard first == Self.number(header[24..<28]), second == Self.number(header[28..<32]) else { return nil }
        }

        mutating func take(_ frame: ArraySlice<UInt8>) {
            let start = frame.startIndex
            let isOfThisLog = frame[(start + 8)..<(start + 16)].elementsEqual(salts)
            guard !isBroken else {
                framesBehind += 1
                // The last frame of a commit tells the size of the database, every other 0.
                if isOfThisLog, Self.number(frame[(start + 4)..<(start + 8)]) != 0 {
                    framesThroughLastCommitBehind = framesBehind
                }
                return
            }
            add(frame[start..<(start + 8)])
            add(frame[(start + WriteAheadLogScan.frameHeaderBytes)...])
            if isOfThisLog, Self.number(frame[start..<(start + 4)]) != 0,
                first == Self.number(frame[(start + 16)..<(start + 20)]),
                second == Self.number(frame[(start + 20)..<(start + 24)])
            {
                validFrames += 1
                committedFrames = Self.number(frame[(start + 4)..<(start + 8)]) != 0 ? validFrames : committedFrames
            } else {
                isBroken = true
            }
        }

        /// The checksum of the format: two sums over pairs of 32-bit words.
        private mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 8) {
                    let words = bytes.loadUnaligned(fromByteOffset: offset, as: (UInt32, UInt32).self)
                    first &+= (isBigEndian ? UInt32(bigEndian: words.0) : UInt32(littleEndian: words.0)) &+ second
                    second &+= (isBigEndian ? UInt32(bigEndian: words.1) : UInt32(littleEndian: words.1)) &+ first
                }
            }
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// Up to `count` bytes: fewer only at the end of the file.
    private static func read(_ descriptor: Int32, at offset: Int, bytes count: Int) throws(SQLCipherError) -> [UInt8] {
        let bytes = try? [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = try FileDescriptorCalls.read(
                descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        guard let bytes else { throw SQLCipherError(kind: .inputOutput, operation: "log scan") }
        return bytes
    }
}

/// What tells one round of a WAL from the next: a number that grows by one each time the log begins anew, and a random
/// one.
package struct WriteAheadLogSalts: Hashable, Sendable {
    package let round: UInt32
    package let random: UInt32

    package init(round: UInt32, random: UInt32) {
        self.round = round
        self.random = random
    }

    /// - Parameter header: of a WAL, 24 bytes at least.
    init(header: [UInt8]) {
        round = header[16..<20].reduce(0) { $0 << 8 | UInt32($1) }
        random = header[20..<24].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Those of the WAL as its header says; `nil` where there is none.
    package init?(logAt path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 24)
        let count = try? header.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0, at: 0) }
        guard count == header.count else { return nil }
        self.init(header: header)
    }

    /// Whether this log was begun after the other one, in whose place it is then.
    package func isLater(than other: WriteAheadLogSalts) -> Bool {
        Int32(bitPattern: round &- other.round) > 0
    }
}
