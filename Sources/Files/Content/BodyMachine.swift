/// A machine that takes a body apart: it is fed the body as it comes, in whatever pieces, and hands on at once what is in it.
///
/// What has been handed on is good only when `finish` has not thrown. Not for several threads at once.
protocol BodyMachine: AnyObject {
    /// What was wrong with the body. Nothing is read behind that.
    var failure: FileError? { get set }
    var hasEnded: Bool { get }
    /// What is said of a body that is cut off.
    static var cutOff: String { get }

    /// Takes bytes from the front; whether there may be more to do with what is left of them.
    func step(
        _ bytes: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> Bool
}

extension BodyMachine {
    /// Takes a piece of the body, and hands on what is in it.
    func read(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        if let failure { throw failure }
        do throws(FileError) {
            var rest = bytes
            while try step(&rest, take) {}
        } catch {
            failure = error
            throw error
        }
    }

    func read(
        _ bytes: [UInt8], _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        try bytes.withUnsafeBufferPointer { bytes throws(FileError) in try read(UnsafeRawBufferPointer(bytes), take) }
    }

    /// The body has ended; throws unless it is whole.
    func finish() throws(FileError) {
        if let failure { throw failure }
        guard hasEnded else { throw .incompleteBody.because(Self.cutOff) }
    }
}
