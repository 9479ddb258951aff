import Portolan
import PortolanSettings

extension ServiceUnit {
    /// The unit that runs this program as an agent of the home that this process uses.
    ///
    /// - Parameter options: of 'agent run'.
    /// - Throws: `CommandFailure`
    init(options: [String], home: HomeDirectory, scope: Scope, version: Int?) throws {
        self.init(
            scope: scope, program: try Self.runningProgram(),
            arguments: ["agent", "run"] + options, environment: Self.environment(scope, home),
            hasRuntimeFolder: home.root == nil, version: version)
    }

    /// - Throws: `CommandFailure` if the file of this program is no longer there.
    private static func runningProgram() throws -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        let path = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        guard count > 0, count < bytes.count, access(path, X_OK) == 0 else {
            throw CommandFailure(.noInput, "The file of this program is no longer there; install with the new one.")
        }
        return path
    }

    /// Environment variables that determine the home, if they differ from the manager's.
    private static func environment(_ scope: Scope, _ home: HomeDirectory) -> [String] {
        let process = HomeDirectory.environmentOfThisProcess
        var assignments: [String] = []
        if scope == .machine {
            assignments.append("HOME=\(home.folderOfUser)")
            if home.root == nil { assignments.append("XDG_RUNTIME_DIR=/run") }
        }
        guard home.root == nil else { return assignments }
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            if let value = process[name], value.hasPrefix("/") { assignments.append("\(name)=\(value)") }
        }
        return assignments
    }

    /// Warning about a path of the program that may disappear; nil for other paths.
    var warning: String? {
        let isBuild = program.contains("/.build/") || program.contains("/.build-")
        let temporary = ["/tmp/", "/var/tmp/", "/dev/shm/", FileManager.default.temporaryDirectory.path + "/"]
        guard isBuild || temporary.contains(where: program.hasPrefix) else { return nil }
        let kind = isBuild ? "build" : "temporary"
        return
            "“\(DisplayText(program))” lies in a \(kind) folder: when it is gone, the service does not start any more. "
            + "Install the program somewhere else, and then the service once more."
    }
}
