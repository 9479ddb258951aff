import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Inputs that once reached new code or crashed; none may crash again.
@Suite(.aside) struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Corpus", directoryHint: .isDirectory).standardizedFileURL

    @Test(arguments: FuzzTarget.all.map(\.name))
    func noStoredInputCrashes(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = Self.folder.appending(path: name)
        let inputs = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!inputs.isEmpty, "\(name) has no corpus")
        for input in inputs.sorted() { target.run(try Data(contentsOf: folder.appending(path: input))) }
        // The empty input has a meaning, too: missing bytes read as zeros.
        target.run([])
    }

    @Test func everyCorpusHasATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }
}
