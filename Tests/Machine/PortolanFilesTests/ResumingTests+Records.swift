import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Records beside a partial that cannot be used.
extension ResumingTests {
    @Test(
        "A record that is damaged, of another version or no file is not used, and the partial stays",
        arguments: [
            "newer about", "older about", "newer progress", "older progress", "truncated about", "truncated progress",
            "about is a link", "progress is a folder", "bytes that make no sense", "huge about", "other user",
        ])
    func anUnusableRecordIsLeftAlone(_ fault: String) throws {
        let inbox = try temporary.inbox("inbox \(fault.hashValue)")
        let whole = Shipment.tree()
        var first = whole
        try interrupt(&first, after: 20, in: inbox)
        let partial = "\(inbox.path)/" + (try #require(names(in: inbox.path).first))
        func replace(_ file: String, _ edit: (String) -> String) throws {
            let text = String(decoding: try #require(content(of: file)), as: UTF8.self)
            let edited = edit(text)
            #expect(edited != text)
            let number = open(file, O_WRONLY | O_TRUNC)
            #expect(write(number, edited, edited.utf8.count) == edited.utf8.count)
            close(number)
        }
        let file = fault.contains("about") ? "\(partial)/about" : "\(partial)/progress"
        var isUsed = false
        switch fault {
        case "newer about", "newer progress": try replace(file) { $0.replacing("\"version\":1", with: "\"version\":2") }
        case "older about", "older progress": try replace(file) { $0.replacing("\"version\":1", with: "\"version\":0") }
        case "truncated about", "truncated progress": try replace(file) { String($0.dropLast(7)) }
        case "huge about": try replace(file) { $0 + String(repeating: " ", count: PartialAbout.maximumBytes) }
        case "about is a link":
            #expect(rename(file, "\(partial)/elsewhere") == 0 && symlink("elsewhere", file) == 0)
        case "progress is a folder":
            #expect(unlink(file) == 0 && mkdir(file, 0o700) == 0)
        case "bytes that make no sense":
            // The claimed ranges are compared all the same.
            try replace(file) { $0.replacing("\"bytes\":", with: "\"bytes\":9") }
            isUsed = true
        default:
            guard geteuid() == 0 else {
                print("skipped: only root can make another user's folder")
                return
            }
            #expect(chown(partial, 65534, 65534) == 0)
        }
        let known = try inbox.known(.test(1), called: name("tree"), isFolder: true)
        #expect((known == .nothing) != isUsed)
        var second = whole
        let item = try receive(second, in: inbox)
        try second.send(to: item)
        _ = try item.publish(as: name("tree"))
        #expect((second.sent == whole.size) != isUsed)
        #expect(try snapshot(of: "\(inbox.path)/tree") == snapshot(of: tree(whole)))
        #expect(try inbox.removeExpiredPartials(olderThan: .seconds(600), leftoversOlderThan: .zero) == 0)
        #expect(access(partial, F_OK) == (isUsed ? -1 : 0))
        let removed = try inbox.removeExpiredPartials(olderThan: .zero, leftoversOlderThan: .zero)
        #expect(removed == (isUsed || fault == "other user" ? 0 : 1))
    }

    /// The item as it arrives somewhere else.
    private func tree(_ shipment: Shipment) throws -> String {
        let inbox = try temporary.inbox("reference")
        if names(in: inbox.path).isEmpty {
            let partial = try inbox.newPartial()
            var shipment = shipment
            try shipment.send(to: partial)
            _ = try partial.publish(as: name("tree"))
        }
        return inbox.path + "/tree"
    }
}
