/// Width and height in pixels, each at least 1.
public struct PixelSize: Sendable, Hashable {
    public let width: Int
    public let height: Int
}
