import FuzzTargets
import Glibc

#if PORTOLAN_FUZZING
    import LibFuzzer
#endif

/// `portolan-fuzz TARGET [libFuzzer's arguments]`: runs a target with generated inputs.
///
/// An ordinary build has no libFuzzer: it then runs the target once with each given file, and prints nothing on
/// success.
@main
enum Program {
    /// Environment variable with the target, set when libFuzzer starts this program again with only its own arguments.
    private static let variable = "PORTOLAN_FUZZ_TARGET"

    static func main() {
        var rest = 1
        if CommandLine.argc > 1, FuzzTarget.named(String(cString: argument(1))) != nil {
            setenv(variable, argument(1), 1)
            rest = 2
        }
        guard let name = getenv(variable), let target = FuzzTarget.named(String(cString: name)) else {
            let names = FuzzTarget.all.map(\.name).joined(separator: "|")
            fail("usage: portolan-fuzz \(names) [ARGUMENT…]", status: 64)
        }
        let arguments = (rest..<max(rest, Int(CommandLine.argc))).map { argument($0) }
        #if PORTOLAN_FUZZING
            run(target, arguments)
        #else
            for argument in arguments { replay(String(cString: argument), on: target) }
        #endif
    }

    private static func argument(_ place: Int) -> UnsafeMutablePointer<CChar> {
        guard let argument = CommandLine.unsafeArgv[place] else { fail("no argument \(place)", status: 64) }
        return argument
    }

    private static func fail(_ sentence: String, status: Int32) -> Never {
        let line = Array((sentence + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }

    private static func replay(_ path: String, on target: FuzzTarget) {
        guard let file = fopen(path, "r") else { fail("\(path): \(String(cString: strerror(errno)))", status: 66) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        target.run(bytes)
    }

    #if PORTOLAN_FUZZING
        // The target is written before libFuzzer begins, and not after that.
        nonisolated(unsafe) private static var current = FuzzTarget.all[0]

        private static func run(_ target: FuzzTarget, _ given: [UnsafeMutablePointer<CChar>]) -> Never {
            current = target
            // An option that is given twice counts the last time.
            var arguments: [UnsafeMutablePointer<CChar>?] = [argument(0), strdup("-max_len=\(target.longest)")] + given
            var count = Int32(arguments.count)
            arguments.append(nil)
            let status = arguments.withUnsafeMutableBufferPointer { arguments in
                var start = arguments.baseAddress
                return LLVMFuzzerRunDriver(&count, &start) { data, size in
                    Program.current.run(UnsafeBufferPointer(start: data, count: size))
                    return 0
                }
            }
            exit(status)
        }
    #endif
}
