/// Sizes of files that are sent by their difference, and of their earlier versions, in bytes (FILES.md 7.6.1): a
/// smaller file is sent sooner than its difference is found, and a larger one takes too long to read.
package enum DifferenceSizes {
    package static let range: ClosedRange<UInt64> = 256 << 10...4 << 30
}
