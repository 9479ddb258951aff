import Glibc
import PortolanValues

/// Lock of pthread, used instead of a `Mutex` where a thread waits on a ``Condition``.
final class PlainLock: @unchecked Sendable {
    // Sendable because the pointer never changes, and pthread allows all threads to use the mutex behind it.
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }
}

/// A condition of pthread, on which threads that hold a lock wait.
final class Condition: @unchecked Sendable {
    // Sendable for the same reason as the lock.
    private let condition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)

    init() {
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Changes of the wall clock must not end a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes one thread that waits.
    func signal() { pthread_cond_signal(condition) }

    /// Wakes all threads that wait.
    func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits, without the lock, for a wake-up, which may be spurious.
    func wait(_ lock: PlainLock) { pthread_cond_wait(condition, lock.mutex) }

    /// Waits as ``wait(_:)``, but at most until `deadline`.
    ///
    /// - Returns: false if that has passed.
    func wait(_ lock: PlainLock, until deadline: ContinuousClock.Instant) -> Bool {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let (seconds, nanoseconds) = left.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        end.tv_sec += Int(seconds) + (end.tv_nsec + Int(nanoseconds)) / 1_000_000_000
        end.tv_nsec = (end.tv_nsec + Int(nanoseconds)) % 1_000_000_000
        pthread_cond_timedwait(condition, lock.mutex, &end)
        return true
    }
}
