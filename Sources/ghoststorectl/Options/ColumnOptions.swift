import ArgumentParser

/// The choice of the columns that a list shows.
struct ColumnOptions<Columns: ColumnSource>: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show these columns, in this order: columns of the table or fields of --json.", valueName: "names"),
        completion: .custom { words, index, _ in ColumnCompletion(words, index).names(Columns.self) })
    var columns: ColumnNames?

    /// The chosen columns; `nil` for the default ones of the output form.
    var names: [String]? { columns?.names }
}

/// The names of columns on the command line, separated by commas.
struct ColumnNames: ExpressibleByArgument {
    let names: [String]

    init?(argument: String) {
        names = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " }.lowercased().replacing(" ", with: "_") }
        guard !names.contains(""), Set(names).count == names.count else { return nil }
    }
}

/// A type with columns to choose from: a kind of row, or a command whose kind of row depends on its operands.
protocol ColumnSource: SendableMetatype {
    /// - Parameters:
    ///   - isForPeople: True to include the columns that only tables for people have.
    ///   - operands: The operands of the command.
    static func columnNames(forPeople isForPeople: Bool, operands: [String]) -> [String]
}

extension ColumnSource where Self: Tabular {
    static func columnNames(forPeople isForPeople: Bool, operands: [String]) -> [String] {
        ColumnChoice<Self>.names(forPeople: isForPeople)
    }
}

/// The completions for the last name of a list of columns.
struct ColumnCompletion {
    /// The beginning of the list, up to its last comma.
    private let before: Substring
    private let operands: [String]
    private let isForPeople: Bool

    /// - Parameters:
    ///   - words: The words of the line, starting with the program.
    ///   - index: The index of the word to complete.
    init(_ words: [String], _ index: Int) {
        let list = words.indices.contains(index) ? words[index][...] : ""
        before = list[..<(list.lastIndex(of: ",").map(list.index(after:)) ?? list.startIndex)]
        var walk = CommandLineWalk()
        for word in words.prefix(max(0, index)).dropFirst() {
            _ = walk.step(word)
        }
        operands = walk.operands
        let format = (try? ClientDefaults.read())?.format
        isForPeople = !CommandLineWords.askForPrograms(words, byDefault: format?.rawValue)
    }

    func names(_ source: (some ColumnSource).Type) -> [String] {
        let named = Set(before.split(separator: ",").map(String.init))
        return source.columnNames(forPeople: isForPeople, operands: operands)
            .filter { !named.contains($0) }.map { before + $0 }
    }
}
