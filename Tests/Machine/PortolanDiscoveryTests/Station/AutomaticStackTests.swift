import Testing

@testable import PortolanDiscovery

/// Changing over from a daemon to this process and back, with scripted stacks on a real loop.
@Suite struct AutomaticStackTests {
    private final class Scene {
        let daemon = ScriptedStack()
        let embedded = ScriptedStack()
        let loop: AvahiLoop
        let stack: AutomaticStack
        private(set) var states: [StackState] = []

        init(patience: Duration, pause: Duration = .seconds(3600)) throws {
            loop = try AvahiLoop()
            stack = AutomaticStack(
                daemon: daemon, embedded: embedded, loop: loop, patience: patience, pause: pause
            ) { ScriptedStack() }
        }

        func open() throws(AvahiFailure) {
            try stack.open(isPatient: true) { [weak self] in self?.states.append($0) }
        }

        /// Turns the loop until the connection is of no more use.
        func runUntilBroken() {
            var isOver = false
            let limit = loop.after(.seconds(120)) { isOver = true }
            while !isOver {
                if case .broken? = states.last { break }
                loop.turn()
            }
            loop.cancel(limit)
            #expect(!isOver, "it did not change over")
        }

        func reopen() throws(AvahiFailure) {
            stack.close()
            try open()
        }
    }

    @Test func stoppedDaemonIsReplaced() throws {
        let scene = try Scene(patience: .milliseconds(1))
        try scene.open()
        scene.daemon.report(.absent)
        scene.runUntilBroken()
        #expect(scene.states.last == .broken(.noDaemon))
        try scene.reopen()
        #expect(scene.embedded.isOpen && !scene.daemon.isOpen)
    }

    @Test func daemonIsRetriedIfTheProcessCannotReplaceIt() throws {
        let scene = try Scene(patience: .milliseconds(1))
        scene.embedded.obstacle = .failure
        try scene.open()
        scene.daemon.report(.absent)
        scene.runUntilBroken()
        #expect(throws: AvahiFailure.failure) { try scene.reopen() }
        try scene.open()
        #expect(scene.daemon.isOpen && scene.states.last == .ready(canPublish: true))
    }

    @Test func eachAbsenceIsWaitedForAsLong() throws {
        let patience = Duration.milliseconds(400)
        let scene = try Scene(patience: patience)
        try scene.open()
        scene.daemon.report(.absent)
        let first = ContinuousClock.now
        scene.loop.after(patience / 2) {
            scene.daemon.report(.ready(canPublish: true))
            scene.daemon.report(.absent)
        }
        scene.runUntilBroken()
        // The second one began half its time after the first.
        #expect(first.duration(to: .now) >= patience + patience / 2)
    }

    @Test func returnedDaemonIsUsedAgain() throws {
        let scene = try Scene(patience: .milliseconds(1), pause: .milliseconds(1))
        try scene.open()
        scene.daemon.report(.absent)
        scene.runUntilBroken()
        try scene.reopen()
        #expect(scene.embedded.isOpen)
        scene.runUntilBroken()
        #expect(scene.states.last == .broken(.daemonIsBack))
        try scene.reopen()
        #expect(scene.daemon.isOpen && !scene.embedded.isOpen)
    }
}
