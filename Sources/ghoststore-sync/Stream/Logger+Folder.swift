import Logging
import ReplicaTransport

extension Logger {
    func log(_ fact: GroupFolder.Notice) {
        switch fact {
        case .otherFile(let name):
            notice("a file in the folder is not a message: the file is ignored", metadata: ["file": "\(name)"])
        case .unreadable(let name):
            warning(
                "a file or folder cannot be read by this user: its messages wait; hint: see the carrier's umask",
                metadata: ["file": "\(name)"])
        case .wrongMarker(let name):
            warning(
                "a marker of removed messages is false: it was removed or not accepted",
                metadata: ["file": "\(name)"])
        case .missingMessage(let channel, let sequence):
            notice(
                "a message is missing in the folder, and later messages are there: the agent waits for it",
                metadata: ["channel": "\(channel)", "sequence": "\(sequence)"])
        case .lostMessage(let channel, let sequence):
            warning(
                "a message is missing in the folder, and later messages are there: the message counts as lost",
                metadata: ["channel": "\(channel)", "sequence": "\(sequence)"])
        }
    }
}
