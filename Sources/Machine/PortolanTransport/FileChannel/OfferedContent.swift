import Foundation
import PortolanFiles
import PortolanProtocol

/// Content of an offered representation, produced only after the other side has accepted it.
package enum OfferedContent: Sendable {
    case bytes(Data)
    /// File or folder on disk, and the sample of a file from when it was measured.
    case file(path: String, on: SourceDisk = .local, sample: FileSample? = nil)
    /// Contents that have no folder on the disk.
    case contents(SourceTree)
    /// Bytes that are read from a descriptor until its end.
    case stream(CInt)
}

/// Events of carrying out an offer, for observers.
package enum OfferingEvent: Sendable {
    /// The receiver's user is being asked.
    case waiting
    case began(item: Int, representation: Int, name: String, size: UInt64?)
    /// The receiver has kept this many bytes of the item from an earlier transfer.
    case resumed(item: Int, kept: UInt64)
    case sent(item: Int, Advance)
    /// Total of a folder that is being sent, as far as it was walked.
    case found(item: Int, bytes: UInt64, isAll: Bool)
    /// Entries of a folder that the receiver may not see; reported after the rest was sent.
    case withheld(item: Int, WithholdingReport)
    /// A representation could not be produced, or not whole; why, in our own words.
    case broke(item: Int, representation: Int, sentence: String)
    /// The item is settled: no more events of it follow in this session.
    case settled(item: Int, ItemOutcome)
}
