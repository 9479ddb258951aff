import Foundation
import Testing

/// A program that has a database open: `sqlite3`, in a process of its own, since a process loses its locks when any
/// part of it closes the file.
final class DatabaseProgram {
    private static let path = "/usr/bin/sqlite3"
    static let isThere = access(path, X_OK) == 0
    private static let end = "-- end of the answer --"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ database: String) throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = ["-batch", database]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        #expect(try run(".timeout 5000").isEmpty)
    }

    /// Runs statements, and returns the lines of their answer.
    @discardableResult
    func run(_ statements: String) throws -> [String] {
        try input.fileHandleForWriting.write(contentsOf: Data("\(statements)\n.print '\(Self.end)'\n".utf8))
        var text = ""
        while !text.hasSuffix(Self.end + "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "sqlite3 has ended: \(text)")
            text += String(decoding: more, as: UTF8.self)
        }
        return text.split(separator: "\n").dropLast().map(String.init)
    }

    /// Adds a row to the table of notes.
    func add(_ text: String) throws { #expect(try run("INSERT INTO note VALUES ('\(text)');").isEmpty) }

    /// Returns the rows of the table of notes, after a check of the whole database.
    func notes() throws -> [String] {
        #expect(try run("PRAGMA integrity_check;") == ["ok"])
        return try run("SELECT text FROM note ORDER BY rowid;")
    }

    func close() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    deinit { try? close() }
}
