import Testing

@testable import PortolanFiles

@Suite struct LinkTargetTests {
    @Test(arguments: [
        ("", LinkRefusal.empty), ("/etc/passwd", .absolute), ("//x", .absolute), ("a/..", .turnsBack),
        ("a/../../b", .turnsBack),
        ("../a/../b", .turnsBack), ("a\0b", .name(.control)), ("a\u{202E}", .name(.direction)),
        (String(repeating: "a/", count: 2048), .tooLong),
        (String(repeating: "a", count: 256), .name(.tooLong(bytes: 256))),
    ])
    func aTargetThatMayLeadAnywhereIsRefused(_ text: String, _ refusal: LinkRefusal) {
        #expect(throws: refusal) { try LinkTarget(Array(text.utf8)) }
    }

    @Test(arguments: [
        ("a", 0), ("a/b/c", 0), (".", 0), ("./a", 0), ("..", 1), ("../a", 1), ("../../a/b", 2), (".././../a", 2),
        ("a//b/", 0),
    ])
    func relativeTargetCountsItsStepsUp(_ text: String, _ stepsUp: Int) throws {
        let target = try LinkTarget(Array(text.utf8))
        #expect(target.stepsUp == stepsUp)
        #expect(target.staysInside(fromDepth: stepsUp))
        #expect(stepsUp == 0 || !target.staysInside(fromDepth: stepsUp - 1))
    }

    @Test func targetInInvalidUTF8IsRefused() {
        #expect(throws: LinkRefusal.name(.notUTF8)) { try LinkTarget([0x61, 0xFF]) }
    }
}
