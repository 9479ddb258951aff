/// libgd, the graphics library of the GD project, where the machine has it (Debian's libgd3).
///
/// The library is not linked and not needed to build: it is loaded at the first conversion of an image. Documentation:
/// https://libgd.github.io/manuals/2.3.3/
struct GDLibrary: Sendable {
    /// gdImagePtr
    typealias Handle = OpaquePointer
    typealias Create = @convention(c) @Sendable (Int32, UnsafeMutableRawPointer) -> Handle?
    typealias Change = @convention(c) @Sendable (Handle) -> Void
    typealias Set = @convention(c) @Sendable (Handle, Int32) -> Void
    typealias Turn = @convention(c) @Sendable (Handle, Float, Int32) -> Handle?
    typealias Export = @convention(c) @Sendable (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutableRawPointer?
    typealias ExportJPEG =
        @convention(c) @Sendable (Handle, UnsafeMutablePointer<Int32>, Int32) -> UnsafeMutableRawPointer?
    typealias CreateBlank = @convention(c) @Sendable (Int32, Int32) -> Handle?
    /// Destination and source; their corners; their sizes.
    typealias Resample =
        @convention(c) @Sendable (
            Handle, Handle, Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32
        ) -> Void
    typealias Free = @convention(c) @Sendable (UnsafeMutableRawPointer) -> Void

    /// The library, loaded once; nil if it or one of its basic functions is missing.
    static let shared = try? GDLibrary()

    let destroy: Change
    let saveAlpha: Set
    let mirror: Change
    let turn: Turn
    let exportPNG: Export
    let exportJPEG: ExportJPEG
    let createBlank: CreateBlank
    let blend: Set
    let resample: Resample
    let free: Free

    /// Decoders in this build of the library, of formats whose headers are read here first.
    private let creators: [ImageFormat: Create]

    func creator(for format: ImageFormat) -> Create? { creators[format] }

    private init() throws {
        guard let library = dlopen("libgd.so.3", RTLD_NOW | RTLD_LOCAL) else { throw POSIXError(.ENOENT) }

        func function<Function>(_ name: String) throws -> Function {
            guard let function = Self.function(name, in: library, as: Function.self) else { throw POSIXError(.ENOENT) }
            return function
        }
        destroy = try function("gdImageDestroy")
        saveAlpha = try function("gdImageSaveAlpha")
        mirror = try function("gdImageFlipHorizontal")
        turn = try function("gdImageRotateInterpolated")
        exportPNG = try function("gdImagePngPtr")
        exportJPEG = try function("gdImageJpegPtr")
        createBlank = try function("gdImageCreateTrueColor")
        blend = try function("gdImageAlphaBlending")
        resample = try function("gdImageCopyResampled")
        free = try function("gdFree")

        let names: [ImageFormat: String] = [
            .png: "gdImageCreateFromPngPtr", .jpeg: "gdImageCreateFromJpegPtr", .gif: "gdImageCreateFromGifPtr",
        ]
        creators = names.compactMapValues { Self.function($0, in: library, as: Create.self) }
        Self.silence(library)
    }

    /// Looks up a function of the library; nil if it does not exist.
    ///
    /// - Parameter type: the C function type that gd.h declares for the name.
    private static func function<Function>(
        _ name: String, in library: UnsafeMutableRawPointer, as type: Function.Type
    ) -> Function? {
        // The address of a function and a C function pointer are one word (POSIX, dlsym); the type is the header's.
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }

    /// Callback with the severity or module, a format and a va_list. The last is passed by reference on the platforms
    /// that Linux runs on, and not read.
    private typealias ErrorMethod = @convention(c) @Sendable (Int32, UnsafeRawPointer?, UnsafeRawPointer?) -> Void
    private typealias SetErrorMethod = @convention(c) @Sendable (ErrorMethod) -> Void

    /// Silences messages of this library on standard error: they add nothing to a decoder's nil, and the author of an
    /// image can provoke them. The switch holds for the process.
    private static func silence(_ library: UnsafeMutableRawPointer) {
        if let setMethod = function("gdSetErrorMethod", in: library, as: SetErrorMethod.self) {
            setMethod({ _, _, _ in })
        }
    }
}
