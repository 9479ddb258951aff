import CoreTransferable
import TestSupport
import Testing

@Suite("The table of Apple's interface and its coverage", .aside)
struct CoverageTests {
    private let table: CoverageTable

    init() throws {
        table = try CoverageTable()
    }

    @Test("states how many rows are present and how many absent")
    func counts() throws {
        let numbers = try #require(table.text.firstMatch(of: #/\*\*(\d+) present, (\d+) absent\.\*\*/#))
        let present = table.rows.count { $0.state == "present" }
        let absent = table.rows.count { $0.state == "absent" }
        #expect(numbers.1 == "\(present)" && numbers.2 == "\(absent)")
        #expect(present + absent == table.rows.count)
    }

    @Test("names each declaration once, where it is, or why it is not there")
    func rows() {
        #expect(Set(table.rows.map(\.declaration)).count == table.rows.count)
        for row in table.rows {
            if row.state == "present" {
                #expect(CoverageTable.proofs[row.module] != nil, "\(row.declaration) is said to be in \(row.module)")
            } else {
                #expect(row.module == "—" && !row.note.isEmpty, "\(row.declaration) is absent without a reason")
            }
        }
    }

    @Test("lists a declaration as present only if a source here uses it")
    func proofs() throws {
        let sources = try CoverageTable.proofs.mapValues(table.source(of:))
        for row in table.rows where row.state == "present" {
            guard let uses = row.uses else { continue }
            let source = sources[row.module] ?? ""
            #expect(uses.contains(where: source.contains), "\(row.declaration)")
        }
    }

    @Test("contains no conformance that programs have to declare themselves")
    func noMoreConformances() {
        let types: [Any.Type] = [
            UUID.self, Date.self, Int.self, Double.self, Bool.self, String?.self, [String].self, [String: String].self,
            NSString.self, NSAttributedString.self,
        ]
        for type in types { #expect(!(type is any Transferable.Type), "\(type)") }
    }

    @Test("has beside it a guide whose program is the one that is compiled here")
    func guide() throws {
        let program = try table.file("GuideProgram.swift", below: "Apple/CoreTransferableTests/Coverage")
        let guide = try String(
            contentsOf: table.catalog.appending(path: "CoreTransferable.md"), encoding: .utf8)
        #expect(guide.contains("```swift\n" + program + "```"))
    }

    @Test("has a guide whose program acts as its comments describe")
    func guideProgram() async throws {
        let (note, empty) = (FieldNote(place: "Harbour", text: "Low tide."), FieldNote(place: "Quay", text: ""))
        #expect(forms(of: note) == [.fieldNote, .html, .utf8PlainText])
        #expect(forms(of: empty) == [.fieldNote, .utf8PlainText])
        #expect(try await page(of: note) == Data("<h1>Harbour</h1><p>Low tide.</p>".utf8))
        await #expect(throws: TransferError.self) { try await page(of: empty) }
        let scratch = try ScratchFolder()
        #expect(try await carry(note, to: scratch.url).text == "Low tide.")
        #expect(try scratch.names == ["Harbour.json"])
    }
}

/// Rows of `Coverage.md`, and the sources that prove them.
private struct CoverageTable {
    struct Row {
        let declaration: String
        let module: String
        let state: String
        let note: String

        /// Texts by which a source uses the declaration: its full name, or a call. Nil if the row is not a single name.
        var uses: [String]? {
            guard let code = declaration.firstMatch(of: #/^`([^` ]+)`/#)?.1, !code.contains("…") else { return nil }
            let named = code.replacing(#/<.*>/#, with: "")
            let path = named.prefix { $0 != "(" }.split(separator: ".")
            guard let name = path.last else { return nil }
            let labels = named.drop { $0 != "(" }
            if labels.isEmpty { return [String(name)] }
            let called = name == "init" ? path.dropLast().last ?? name : name
            return ["\(name)\(labels)", "\(called)("]
        }
    }

    /// Folder of tests that uses the declarations of a module, by module.
    static let proofs = [
        "CoreTransferable": "Apple/CoreTransferableTests/Coverage",
        "UniformTypeIdentifiers": "Apple/CoreTransferableTests/Coverage",
        "TransferableRichText": "Apple/TransferableRichTextTests", "HeadlessGraphics": "Apple/HeadlessGraphicsTests",
        "AppleConveniences": "Apple/AppleConveniencesTests",
        "PortolanControls": "Library/PortolanControlsTests",
    ]

    private let tests: URL
    let catalog: URL
    let text: String
    let rows: [Row]

    init() throws {
        tests = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        catalog = tests.appending(path: "../Sources/Apple/CoreTransferable/CoreTransferable.docc").standardizedFileURL
        text = try String(contentsOf: catalog.appending(path: "Coverage.md"), encoding: .utf8)
        rows = text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6, cells[0].isEmpty, cells[5].isEmpty, cells[1] != "declaration", cells[1] != "---"
            else { return nil }
            return Row(declaration: cells[1], module: cells[2], state: cells[3], note: cells[4])
        }
    }

    func file(_ name: String, below folder: String) throws -> String {
        try String(contentsOf: tests.appending(path: folder).appending(path: name), encoding: .utf8)
    }

    /// All sources below a folder of tests, without this one and without comments.
    func source(of folder: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: folder).path)
        let sources = try names.filter { $0.hasSuffix(".swift") && $0 != "CoverageTests.swift" }
            .map { try file($0, below: folder) }
        return sources.joined(separator: "\n").split(separator: "\n")
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }
}
