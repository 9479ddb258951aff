import Foundation
import Glibc
import HeadlessGraphics

/// Real images in every format, made and looked at by libgd, where it is installed.
struct GDPictures {
    typealias Picture = OpaquePointer
    private typealias Make = @convention(c) (Int32, Int32) -> Picture?
    private typealias Destroy = @convention(c) (Picture) -> Void
    private typealias SetPixel = @convention(c) (Picture, Int32, Int32, Int32) -> Void
    private typealias GetPixel = @convention(c) (Picture, Int32, Int32) -> Int32
    private typealias SetFlag = @convention(c) (Picture, Int32) -> Void
    private typealias Export = @convention(c) (Picture, UnsafeMutablePointer<Int32>) -> UnsafeMutableRawPointer?
    private typealias ExportQuality =
        @convention(c) (Picture, UnsafeMutablePointer<Int32>, Int32) -> UnsafeMutableRawPointer?
    private typealias Create = @convention(c) (Int32, UnsafeMutableRawPointer) -> Picture?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let library: UnsafeMutableRawPointer

    init?() {
        guard let library = dlopen("libgd.so.3", RTLD_NOW) else { return nil }
        self.library = library
    }

    static let missing = "libgd is not installed (Debian: libgd3)"

    private func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }

    /// An image whose pixels `color` gives as 0xAARRGGBB with the opacity of libgd: 0 is opaque, 127 transparent. Nil
    /// where this build of the library cannot write the format.
    func encode(_ format: String, width: Int32, height: Int32, color: (Int32, Int32) -> Int32) -> Data? {
        guard let make = function("gdImageCreateTrueColor", Make.self), let picture = make(width, height),
            let destroy = function("gdImageDestroy", Destroy.self),
            let setPixel = function("gdImageSetPixel", SetPixel.self),
            let setFlag = function("gdImageSaveAlpha", SetFlag.self),
            let setBlending = function("gdImageAlphaBlending", SetFlag.self), let free = function("gdFree", Free.self)
        else { return nil }
        defer { destroy(picture) }
        setFlag(picture, 1)
        setBlending(picture, 0)
        for y in 0..<height {
            for x in 0..<width { setPixel(picture, x, y, color(x, y)) }
        }
        var length: Int32 = 0
        let bytes: UnsafeMutableRawPointer?
        switch format {
        case "Jpeg", "Bmp":
            bytes = function("gdImage\(format)Ptr", ExportQuality.self)?(picture, &length, format == "Bmp" ? 0 : 95)
        default: bytes = function("gdImage\(format)Ptr", Export.self)?(picture, &length)
        }
        guard let bytes, length > 0 else { return nil }
        defer { free(bytes) }
        return Data(bytes: bytes, count: Int(length))
    }

    /// The pixels of a PNG in true colour, row by row.
    func pixels(of png: Image) -> [Int32]? {
        guard let create = function("gdImageCreateFromPngPtr", Create.self),
            let getPixel = function("gdImageGetTrueColorPixel", GetPixel.self),
            let destroy = function("gdImageDestroy", Destroy.self)
        else { return nil }
        var bytes = Array(png.data)
        let count = Int32(bytes.count)
        guard let picture = bytes.withUnsafeMutableBytes({ create(count, $0.baseAddress!) }) else { return nil }
        defer { destroy(picture) }
        guard let size = png.pixelSize else { return nil }
        return (0..<size.height).flatMap { y in
            (0..<size.width).map { x in getPixel(picture, Int32(x), Int32(y)) }
        }
    }
}
