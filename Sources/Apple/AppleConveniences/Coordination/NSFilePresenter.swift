/// An object that shows a file and wants to be informed of changes to it.
///
/// Declared so that calls with a presenter compile. On Linux programs do not coordinate their access, and a presenter
/// is not informed: watch the file instead.
public protocol NSFilePresenter: NSObjectProtocol {
    var presentedItemURL: URL? { get }
    var presentedItemOperationQueue: OperationQueue { get }
}
