import Foundation

/// Something that shows a file and wants to hear of changes to it.
///
/// It is here so that calls which name one compile. On Linux nobody coordinates with anybody outside the process, and a
/// presenter is told nothing: watch the file instead.
public protocol NSFilePresenter: NSObjectProtocol {
    var presentedItemURL: URL? { get }
    var presentedItemOperationQueue: OperationQueue { get }
}
