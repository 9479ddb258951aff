/// Limits of the kernel for this user, and its clock.
struct SystemFacts: Sendable, Hashable {
    /// Nil if the kernel does not report it.
    var watchLimit: Int?
    var instanceLimit: Int?
    /// Files that this process may open.
    var openFiles: UInt64
    /// Version of Landlock; 0 without Landlock.
    var landlock: Int
    var clock: ClockFacts
}

struct ClockFacts: Sendable, Hashable {
    /// Seconds since 1970.
    var wall: Int64
    /// Gain of the wall clock on the monotonic one during the probes, in seconds.
    var jump: Double
    /// True if the monotonic clock went back.
    var wentBack = false
    /// Nil if the kernel does not report it.
    var isSynchronised: Bool?
}

enum SystemJudgement {
    static func findings(_ facts: SystemFacts) -> [Finding] {
        [clock(facts.clock), watches(facts), files(facts), landlock(facts)]
    }

    /// 2026-01-01: no program of this version was made before it.
    private static let earliest: Int64 = 1_767_225_600
    /// Largest correction, in seconds, of a time service in normal operation.
    private static let largestJump = 0.5

    private static func clock(_ facts: ClockFacts) -> Finding {
        let probe = "clock"
        let advice = "Run: timedatectl set-ntp true"
        if facts.wentBack || abs(facts.jump) > largestJump {
            return Finding(
                probe, .fail(.clock), "it jumped while this ran.",
                advice: "Look for two time services, or for a virtual machine that was suspended. \(advice)")
        }
        guard facts.wall >= earliest else {
            return Finding(
                probe, .fail(.clock), "it is set to a time before this program was made.", advice: advice)
        }
        switch facts.isSynchronised {
        case true?: return Finding(probe, .ok, "runs evenly, and is synchronised.")
        case nil: return Finding(probe, .ok, "runs evenly; whether it is synchronised is not told.")
        case false?:
            return Finding(
                probe, .ok, "runs evenly, and is not synchronised.",
                advice: "Dates of changes are compared between machines where folders are kept alike. \(advice)")
        }
    }

    /// A large project has more folders.
    private static let scarceWatches = 8192

    private static func watches(_ facts: SystemFacts) -> Finding {
        let probe = "inotify"
        guard let limit = facts.watchLimit else {
            return Finding(probe, .ok, "the kernel does not tell its limits.")
        }
        if limit < scarceWatches {
            return Finding(
                probe, .warn, "all programs of this user can watch \(limit) folders together.",
                advice: "Folders that are kept alike may take more. As root: sysctl fs.inotify.max_user_watches=524288")
        }
        if let instances = facts.instanceLimit, instances < 16 {
            return Finding(
                probe, .warn, "only \(instances) programs of this user can watch folders.",
                advice: "As root: sysctl fs.inotify.max_user_instances=128")
        }
        return Finding(probe, .ok, "\(limit) folders can be watched.")
    }

    private static func files(_ facts: SystemFacts) -> Finding {
        let probe = "open files"
        let seen = "this process may have \(facts.openFiles) files open"
        let advice = "Raise it with 'ulimit -Hn 65536', or LimitNOFILE= of the service."
        if facts.openFiles < 64 { return Finding(probe, .fail(.limits), "\(seen).", advice: advice) }
        if facts.openFiles < 1024 { return Finding(probe, .warn, "\(seen).", advice: advice) }
        return Finding(probe, .ok, "\(seen).")
    }

    private static func landlock(_ facts: SystemFacts) -> Finding {
        guard facts.landlock > 0 else {
            return Finding(
                "Landlock", .warn, "this kernel has none, so converters are held in less well.",
                advice: "It needs Linux 5.13 with 'landlock' in the lsm= list.")
        }
        return Finding("Landlock", .ok, "version \(facts.landlock).")
    }
}
