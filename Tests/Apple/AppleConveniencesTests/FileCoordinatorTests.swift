import AppleConveniences
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("File coordination in one process")
struct FileCoordinatorTests {
    private let file = URL(fileURLWithPath: "/tmp/AppleConveniencesTests-\(UUID().uuidString)/a")
    private var folder: URL { file.deletingLastPathComponent() }

    @Test("The accessor runs before the call returns, with the item and no error")
    func accessor() {
        var error: NSError?
        var seen: [URL] = []
        let coordinator = NSFileCoordinator(filePresenter: nil)
        coordinator.coordinate(readingItemAt: file, options: [], error: &error) { seen.append($0) }
        coordinator.coordinate(writingItemAt: file, options: .forReplacing, error: nil) { seen.append($0) }
        coordinator.coordinate(readingItemAt: file, writingItemAt: folder, error: &error) { seen += [$0, $1] }
        coordinator.coordinate(writingItemAt: file, writingItemAt: folder, error: &error) { seen += [$0, $1] }
        #expect(error == nil && seen == [file, file, file, folder, file, folder])
    }

    @Test("A path without a file is an error, and no accessor runs")
    func noFile() throws {
        var error: NSError?
        let web = try #require(URL(string: "https://a.example/"))
        NSFileCoordinator().coordinate(readingItemAt: web, error: &error) { _ in Issue.record("ran") }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == CocoaError.Code.fileReadUnsupportedScheme.rawValue)
    }

    @Test("Writers of one item never overlap, with each other or with readers")
    func exclusion() {
        let state = Mutex((readers: 0, writers: 0, writes: 0, clash: false))
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let coordinator = NSFileCoordinator()
            if index % 4 == 0 {
                // Every other writer has the folder around the item.
                coordinator.coordinate(writingItemAt: index % 8 == 0 ? file : folder, error: nil) { _ in
                    state.withLock { state in
                        state.writers += 1
                        state.clash = state.clash || state.writers > 1 || state.readers > 0
                    }
                    usleep(500)
                    state.withLock { state in
                        state.writers -= 1
                        state.writes += 1
                    }
                }
            } else {
                coordinator.coordinate(readingItemAt: file, error: nil) { _ in
                    state.withLock { state in
                        state.readers += 1
                        state.clash = state.clash || state.writers > 0
                    }
                    usleep(200)
                    state.withLock { $0.readers -= 1 }
                }
            }
        }
        #expect(state.withLock { $0.writes == 16 && !$0.clash && $0.readers == 0 })
    }

    @Test("Readers share an item; writers of different items do not meet")
    func sharing() {
        let coordinator = NSFileCoordinator()
        var depth = 0
        coordinator.coordinate(readingItemAt: file, error: nil) { _ in
            NSFileCoordinator().coordinate(readingItemAt: folder, error: nil) { _ in
                NSFileCoordinator().coordinate(writingItemAt: folder.appendingPathComponent("b"), error: nil) { _ in
                    depth = -1
                }
                depth += 1
            }
        }
        // The folder was being read by this thread, so that its new child could not be written.
        #expect(depth == 1)
        let other = folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + "b")
        coordinator.coordinate(writingItemAt: file, error: nil) { _ in
            NSFileCoordinator().coordinate(writingItemAt: other, error: nil) { _ in depth = 2 }
        }
        #expect(depth == 2)
    }

    @Test("A thread that would wait for itself gets an error instead")
    func selfDeadlock() {
        var error: NSError?
        NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { file in
            NSFileCoordinator().coordinate(readingItemAt: file, error: &error) { _ in Issue.record("ran") }
        }
        #expect(error?.domain == NSPOSIXErrorDomain && error?.code == Int(EDEADLK))
    }

    @Test("Coordinators of one purpose do not wait for each other")
    func purpose() {
        let outer = NSFileCoordinator()
        let inner = NSFileCoordinator()
        #expect(outer.purposeIdentifier != inner.purposeIdentifier)
        inner.purposeIdentifier = outer.purposeIdentifier
        var ran = false
        outer.coordinate(writingItemAt: file, error: nil) { file in
            inner.coordinate(writingItemAt: file, error: nil) { _ in ran = true }
        }
        #expect(ran)
    }

    @Test("Cancelling ends a wait, and every later one", arguments: [0, 100, 20_000])
    func cancelling(afterMicroseconds delay: UInt32) async {
        let waiter = NSFileCoordinator()
        let code: Int? = await withCheckedContinuation { continuation in
            NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { file in
                let ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    var error: NSError?
                    waiter.coordinate(readingItemAt: file, error: &error) { _ in }
                    continuation.resume(returning: error?.code)
                    ended.signal()
                }
                // The coordinator waits by now or is about to; it is cancelled in both cases.
                usleep(delay)
                waiter.cancel()
                ended.wait()
            }
        }
        #expect(code == CocoaError.Code.userCancelled.rawValue)
        var error: NSError?
        waiter.coordinate(readingItemAt: file, error: &error) { _ in Issue.record("ran") }
        #expect(error?.code == CocoaError.Code.userCancelled.rawValue)
    }

    @Test("Access to metadata does not wait")
    func metadata() {
        var ran = 0
        NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { file in
            NSFileCoordinator().coordinate(
                readingItemAt: file, options: .immediatelyAvailableMetadataOnly, error: nil
            ) { _ in ran += 1 }
            NSFileCoordinator().coordinate(
                writingItemAt: file, options: .contentIndependentMetadataOnly, error: nil
            ) { _ in ran += 1 }
        }
        #expect(ran == 2)
    }

    @Test("An item is the same by every link that leads to it; resolving returns the link's target")
    func links() throws {
        let scratch = try ScratchFolder()
        let target = try scratch.file("target", "")
        let link = scratch.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        var error: NSError?
        var seen: URL?
        NSFileCoordinator().coordinate(readingItemAt: link, options: .resolvesSymbolicLink, error: nil) { url in
            seen = url
            NSFileCoordinator().coordinate(writingItemAt: target, error: &error) { _ in Issue.record("ran") }
        }
        #expect(seen?.path == target.path && error?.code == Int(EDEADLK))
        NSFileCoordinator().coordinate(readingItemAt: link, error: nil) { seen = $0 }
        #expect(seen == link)
    }

    @Test("Intents are granted together, on the queue, without blocking the caller")
    func intents() async {
        let queue = OperationQueue()
        let reading = NSFileAccessIntent.readingIntent(with: folder)
        let writing = NSFileAccessIntent.writingIntent(with: file, options: .forReplacing)
        #expect(reading.url == folder && writing.url == file)
        let order = Mutex<[String]>([])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in
                NSFileCoordinator().coordinate(with: [writing], queue: queue) { error in
                    #expect(error == nil && OperationQueue.current === queue)
                    order.withLock { $0.append("granted") }
                    continuation.resume()
                }
                usleep(20_000)
                order.withLock { $0.append("released") }
            }
        }
        #expect(order.withLock { $0 } == ["released", "granted"])
    }

    @Test("Cancelled intents are reported on the queue")
    func cancelledIntents() async {
        let coordinator = NSFileCoordinator()
        coordinator.cancel()
        let error: (any Error)? = await withCheckedContinuation { continuation in
            coordinator.coordinate(with: [.readingIntent(with: file)], queue: OperationQueue()) {
                continuation.resume(returning: $0)
            }
        }
        #expect((error as? CocoaError)?.code == .userCancelled)
    }
}
