import PortolanConcurrency
import Testing

@Suite(.timeLimit(.minutes(20))) struct MailboxTests {
    private struct Failed: Error {}

    @Test func elementsComeInOrderFollowedByTheEnd() async throws {
        let mailbox = Mailbox<Int>(limit: 0) { _ in false }
        for element in 1...3 { #expect(mailbox.post(element)) }
        #expect(try await mailbox.next() == 1)
        mailbox.post(4)
        mailbox.close()
        #expect(!mailbox.post(5))
        for element in 2...4 { #expect(try await mailbox.next() == element) }
        for _ in 0..<2 { #expect(try await mailbox.next() == nil) }
    }

    @Test func onlyElementsOfThePeerNeedRoom() async throws {
        let mailbox = Mailbox<Int>(limit: 2) { $0 > 0 }
        for element in [-1, -2, -3] { #expect(mailbox.postIfRoom(element)) }
        await mailbox.put(1)
        await mailbox.put(2)
        #expect(!mailbox.postIfRoom(3))
        async let putting: Void = mailbox.put(4)
        for element in [-1, -2, -3, 1, 2, 4] { #expect(try await mailbox.next() == element) }
        await putting
        #expect(mailbox.postIfRoom(5))
    }

    @Test func errorPrecedesWaitingElements() async {
        let mailbox = Mailbox<Int>(limit: 0) { _ in false }
        mailbox.post(1)
        mailbox.close(Failed())
        await #expect(throws: Failed.self) { try await mailbox.next() }
        #expect(mailbox.drain() == [1])
        #expect(mailbox.drain() == [])
    }
}
