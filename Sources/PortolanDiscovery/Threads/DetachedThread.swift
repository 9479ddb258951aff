import Glibc

/// A thread of our own, for calls that block: the cooperative pool has one thread a core and must never wait.
enum DetachedThread {
    /// Runs `body` on a new thread that takes no signals, so that they reach whoever waits for them in the main program.
    static func start(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        let box = Unmanaged.passRetained(Body(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        // A new thread inherits the mask, so there is no moment at which it could be chosen for a signal.
        var everything = sigset_t()
        var before = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_BLOCK, &everything, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw ThreadError(code: code)
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

struct ThreadError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { "no thread or event loop could be started (\(String(cString: strerror(code))))" }
}
