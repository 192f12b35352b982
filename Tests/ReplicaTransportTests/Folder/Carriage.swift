import FoundationEssentials
import Glibc
import ReplicaModel
import StoreBasics
import TestBasics

/// The folders of several devices, and a carrier that copies files between them late, in parts, in any order, more than
/// once, and with conflict copies.
struct Carriage {
    let folders: [String]
    private let directory: TemporaryDirectory

    init(folders count: Int) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        folders = try (0..<count).map { number in
            let path = directory.file("folder\(number)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            return path
        }
    }

    /// Returns the path of the group's folder within the folder of a device.
    func group(_ device: Int) -> String { "\(folders[device])/\(DeviceGroup.name)" }

    /// Returns the names of files in a channel of a device's folder, sorted, without names that begin with a dot.
    func names(_ device: Int, _ channel: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(group(device))/\(channel)")
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Copies some files into folders that lack them. Some copies are incomplete, have the name of a conflict copy, or
    /// disappear again. A file is always copied from the folder of the device that wrote it.
    func carrySome(_ random: inout SplitMix) throws {
        for (source, channel) in written() {
            for target in folders.indices where target != source {
                let present = Set(names(target, channel))
                var missing = names(source, channel).filter { !present.contains($0) }
                missing.shuffle(using: &random)
                for name in missing.prefix(Int.random(in: 0...4, using: &random)) {
                    try copy(name, channel, from: source, to: target, &random)
                }
            }
        }
    }

    /// Copies all files.
    func carryAll() throws {
        for (source, channel) in written() {
            for target in folders.indices where target != source {
                for name in names(source, channel) {
                    try write(read(source, channel, name), target, channel, name)
                }
            }
        }
    }

    /// Returns the index of each folder with the channel in which the folder's device writes.
    private func written() -> [(Int, String)] {
        folders.indices.map { ($0, "device.\(ReplicaDevice.text(UInt64($0 + 1)))") }
    }

    private func copy(
        _ name: String, _ channel: String, from source: Int, to target: Int, _ random: inout SplitMix
    ) throws {
        let bytes = try read(source, channel, name)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            // A carrier that writes in place gives the file its final name before all bytes are written.
            let part = Int.random(in: 0...max(0, bytes.count - 1), using: &random)
            try write(Array(bytes.prefix(part)), target, channel, name)
        case 1: try write(bytes, target, channel, name.replacing(".sealed", with: ".sync-conflict-20261129.sealed"))
        case 2: try write(Array(bytes.reversed()), target, channel, ".syncthing.\(name).tmp")
        default: try write(bytes, target, channel, name)
        }
        // Sometimes delete a file that may be there only in part, so that it is copied again later.
        if bytes.count > 1, Int.random(in: 0..<3, using: &random) == 0 {
            let present = names(target, channel)
            if let old = present.randomElement(using: &random), try read(target, channel, old).count < 10 {
                unlink("\(group(target))/\(channel)/\(old)")
            }
        }
    }

    func read(_ device: Int, _ channel: String, _ name: String) throws -> [UInt8] {
        Array(FileManager.default.contents(atPath: "\(group(device))/\(channel)/\(name)") ?? Data())
    }

    func write(_ bytes: [UInt8], _ device: Int, _ channel: String, _ name: String) throws {
        let folder = "\(group(device))/\(channel)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(bytes)) else {
            throw SystemError.last
        }
    }
}
