import PortolanSyncPlan
import Testing

@testable import PortolanSyncPeers

/// Times after which content that no member has is withdrawn.
@Suite struct MissingContentTests {
    private let start = ContinuousClock.now
    private let digest = ContentDigest(7)

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test("content is withdrawn 10 seconds after all members were heard, and deleted after 60")
    func times() {
        var contents = MissingContents()
        for (second, expected) in [(0, nil), (9, nil), (10, false), (59, false), (60, true), (61, true)] {
            let due = contents.note([digest], isEveryoneHeard: true, at: after(second))
            #expect(due == expected.map { [.init(digest: digest, deletes: $0)] } ?? [], "second \(second)")
        }
    }

    @Test("time in which a member is not heard does not count")
    func away() {
        var contents = MissingContents()
        for second in [0, 70, 3600] {
            #expect(contents.note([digest], isEveryoneHeard: false, at: after(second)) == [])
        }
        #expect(contents.note([digest], isEveryoneHeard: true, at: after(3601)) == [])
        #expect(
            contents.note([digest], isEveryoneHeard: true, at: after(3610)) == [.init(digest: digest, deletes: false)])
        #expect(
            contents.note([digest], isEveryoneHeard: true, at: after(3660)) == [.init(digest: digest, deletes: true)])
        #expect(contents.note([digest], isEveryoneHeard: false, at: after(3661)) == [])
        #expect(contents.note([digest], isEveryoneHeard: true, at: after(3670)) == [])
    }

    @Test("content that was there in between is missing anew")
    func found() {
        var contents = MissingContents()
        _ = contents.note([digest], isEveryoneHeard: true, at: after(0))
        _ = contents.note([], isEveryoneHeard: true, at: after(5))
        #expect(contents.note([digest], isEveryoneHeard: true, at: after(60)) == [])
        contents.remove(digest)
        #expect(contents.note([digest], isEveryoneHeard: true, at: after(120)) == [])
    }
}
