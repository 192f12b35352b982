import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import Testing

extension EveryCallTests {
    func makeLogCalls(_ caller: RecordingCaller) throws {
        let open = WireOpenLogRequest.with {
            $0.name = "events"
            $0.maximumBytes = 200
            $0.overwritesOldest = true
        }
        let opened = try caller.expect("open_log", .openLog(open)).openLog
        #expect(opened.log.maximumBytes == 200 && opened.log.overwritesOldest && opened.log.lastSequence == 0)
        let append = WireAppendLogRequest.with {
            $0.name = "events"
            $0.maximumBytes = 200
            $0.overwritesOldest = true
            $0.messages = [Data("one".utf8), Data("two".utf8)]
            $0.metadata = [WireMetadata(), .with { $0.data = Data("m".utf8) }]
        }
        let appended = try caller.expect("append_log", .appendLog(append))
        #expect(appended.appendLog.firstSequence == 1 && appended.appendLog.lastSequence == 2)
        let read = WireReadLogRequest.with {
            $0.name = "events"
            $0.afterSequence = 1
        }
        let page = try caller.expect("log_entries", .readLog(read))
        #expect(page.logEntries.entries.map(\.data) == [Data("two".utf8)])
        #expect(page.logEntries.entries.first?.metadata.data == Data("m".utf8))
        // Each of the two messages needs seven bytes. The metadata needs three bytes, and four bytes for its length.
        #expect(page.logEntries.log.usedBytes == 21 && !page.logEntries.hasMore_p)
        let held = WireReadLogRequest.with {
            $0.name = "events"
            $0.afterSequence = 2
            $0.waitMilliseconds = 50
        }
        #expect(try caller.expect("log_entries", .readLog(held)).logEntries.entries.isEmpty)
        #expect(try caller.expect("log", .getLog(.with { $0.name = "events" })).log.lastSequence == 2)
        #expect(try caller.expect("logs", .listLogs(.init())).logs.logs.map(\.name) == ["events"])
        _ = try caller.expect("commit", .deleteLog(.with { $0.name = "events" }))
    }

    func makeFileCalls(_ caller: RecordingCaller) throws {
        func path(_ text: String) -> WireFilePath {
            .with {
                $0.area = .document
                $0.path = text
            }
        }
        _ = try caller.expect("commit", .createDirectory(.with { $0.path = path("d") }))
        let saved = try caller.expect(
            "commit",
            .saveFile(
                .with {
                    $0.path = path("d/f")
                    $0.data = Data("one".utf8)
                })
        ).commit
        #expect(saved.ids == ["document/d/f"] && saved.createdCount == 1)
        let append = WireAppendFileRequest.with {
            $0.path = path("d/f")
            $0.data = Data(", two".utf8)
        }
        _ = try caller.expect("commit", .appendFile(append))
        let read = WireReadFileRequest.with {
            $0.path = path("d/f")
            $0.offset = 5
            $0.byteCount = 2
        }
        let part = try caller.expect("file_data", .readFile(read)).fileData
        #expect(part.data == Data("tw".utf8) && part.file.byteCount == 8 && part.file.kind == .file)
        #expect(part.file == (try caller.expect("file", .getFile(.with { $0.path = path("d/f") })).file))
        let put = (origin: path("d/f"), place: path("d/g"))
        _ = try caller.expect("commit", .copyFile(.with { ($0.origin, $0.place) = put }))
        _ = try caller.expect("commit", .moveFile(.with { ($0.origin, $0.place) = put }))
        let list = try caller.expect("files", .listFiles(.with { $0.directory = path("d") })).files
        #expect(list.files.map(\.name) == ["g"] && list.nextCursor.isEmpty)
        let begin = WireBeginFileWriteRequest.with {
            $0.path = path("d/g")
            $0.place = .end
        }
        let write = try caller.expect("file_write", .beginFileWrite(begin)).fileWrite.write
        let piece = WireWriteFileRequest.with {
            $0.write = write
            $0.data = Data(", three".utf8)
        }
        let progress = try caller.expect("file_write_progress", .writeFile(piece)).fileWriteProgress
        #expect(progress.bytesReceived == 7)
        let finished = try caller.expect("commit", .finishFileWrite(.with { $0.write = write })).commit
        #expect(finished.updatedCount == 1 && finished.ids.isEmpty)
        let usage = try caller.expect("file_usage", .getFileUsage(.init())).fileUsage.areas
        #expect(usage.map(\.area) == [.cache, .document, .library, .notSyncedLibrary, .temporary])
        #expect(usage[1].fileCount == 1 && usage[1].directoryCount == 1 && usage[1].byteCount == 15)
        _ = try caller.expect("file_write_ended", .endFileWrite(.with { $0.write = write }))
        _ = try caller.expect("commit", .deleteFile(.with { $0.path = path("d/g") }))
        _ = try caller.expect("commit", .removeDirectory(.with { $0.path = path("d") }))
    }
}
