import Files
import Moving
import Store

/// Why a move ends early.
struct MoveFailure: Error, Sendable {
    let code: ExitCode
    let message: String
    /// True where somebody has ended it, as a kill would.
    var isStop = false

    init(_ message: String, code: ExitCode = .failure) {
        self.code = code
        self.message = message
    }

    init(_ fault: MovingFault) {
        message = fault.description
        code =
            switch fault.kind {
            case .unreadable: .unreadableInput
            case .unexpected: .failure
            case .unwritable: .unwritableOutput
            }
    }

    init(_ error: StoreError) {
        let isFull = error.kind == .diskFull
        self.init(isFull ? "\(error.message). \(MovingFault.continuation)" : error.message, code: ExitCode(error))
    }

    init(_ error: TransferError) {
        if case .store(let error) = error { self.init(error) } else { self.init("\(error)", code: ExitCode(error)) }
    }

    init(_ error: FileError) {
        let text = error.reason ?? error.message
        self.init(
            error.status == FileError.diskFull.status ? "\(text). Free space. \(MovingFault.continuation)" : text,
            code: .unwritableOutput)
    }

    static var stopped: MoveFailure {
        var failure = MoveFailure("the move was stopped. Give the same command again: it continues", code: .failure)
        failure.isStop = true
        return failure
    }

    static func storing<Answer>(_ body: () throws(StoreError) -> Answer) throws(MoveFailure) -> Answer {
        do throws(StoreError) { return try body() } catch { throw MoveFailure(error) }
    }

    static func reading<Answer>(_ body: () throws(MovingFault) -> Answer) throws(MoveFailure) -> Answer {
        do throws(MovingFault) { return try body() } catch { throw MoveFailure(error) }
    }
}
