/// Pointer for the error of a method: `&error` for a `var error: NSError?`, or nil.
///
/// On Apple's systems this is a pointer that knows about their memory management; calls and `error?.pointee = …` are
/// written the same way.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
