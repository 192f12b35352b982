import ArgumentParser
import StoreClient

/// How far a message has come, on the command line.
struct StatusOption: ExpressibleByArgument {
    let status: MessageStatus

    init(_ status: MessageStatus) {
        self.status = status
    }

    init?(argument: String) {
        guard let status = MessageStatus(word: argument) else {
            return nil
        }
        self.status = status
    }

    static var allValueStrings: [String] {
        MessageStatus.allCases.map(\.word)
    }

    var defaultValueDescription: String {
        status.word
    }
}
