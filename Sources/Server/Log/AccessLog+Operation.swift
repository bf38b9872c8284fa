import Engine
import JSON
import Network
import Realtime

extension AccessLog.Entry {
    /// The line of an operation that a WebSocket or an event stream has carried.
    init(_ carried: CarriedOperation, _ operation: OperationSummary) {
        self.init(
            method: "-", target: "-", status: carried.status, bytes: carried.bytes, nanoseconds: carried.nanoseconds)
        self.operation = operation
        carrier = carried.carrier
    }
}

extension AccessLog {
    /// `mutation createPost user-pool 200 2 errors Unauthorized,other 1.204ms 512B `: which operation it was, for whom, and what became of it.
    ///
    /// Hot path: nearly every line is one of these. Static, as all that writes into the log's own line is: a log that is read
    /// meanwhile is copied, and its line with it.
    static func write(
        _ operation: OperationSummary, _ known: RootFields.Entry, _ entry: borrowing Entry, _ style: LogStyle,
        to line: inout [UInt8]
    ) {
        let caller = operation.caller.name
        let errors = operation.errorCount == 0 ? [] : errors(of: operation)
        let texts = known.kind.utf8.count + known.name.utf8.count + caller.utf8.count + errors.count
        line.append(piecesOf: texts + 5 * BytePieces.decimalMax + 32) { pieces in
            pieces.append(name: known.kind)
            pieces.append(" ")
            pieces.append(name: known.name)
            if operation.fieldCount > 1 {
                pieces.append("+")
                pieces.append(decimal: UInt64(clamping: operation.fieldCount - 1))
            }
            pieces.append(" ")
            pieces.append(name: caller)
            pieces.append(" ")
            if style.hasColours { pieces.append(colour(of: entry.status)) }
            pieces.append(decimal: UInt64(clamping: entry.status))
            if style.hasColours { pieces.append(plain) }
            pieces.append(" ")
            pieces.append(errors)
            let microseconds = entry.nanoseconds / 1_000
            pieces.append(decimal: microseconds / 1_000)
            pieces.append(".")
            pieces.append(decimal: microseconds % 1_000, digits: 3)
            pieces.append("ms ")
            pieces.append(decimal: UInt64(clamping: entry.bytes))
            pieces.append("B ")
        }
    }

    /// `2 errors Unauthorized,other `: how many errors the answer had, and of which types.
    private static func errors(of operation: OperationSummary) -> [UInt8] {
        let count = "\(operation.errorCount)" + (operation.errorCount >= OperationSummary.errorCountMax ? "+" : "")
        let word = operation.errorCount == 1 ? "error" : "errors"
        return Array("\(count) \(word) \(operation.errorTypes.joined(separator: ",")) ".utf8)
    }

    static func writeJSON(_ operation: OperationSummary, _ entry: RootFields.Entry, to line: inout [UInt8]) {
        LogLine.append(",\"operation\":", to: &line)
        JSONWriter.writeString(entry.kind, to: &line)
        LogLine.append(",\"field\":", to: &line)
        JSONWriter.writeString(entry.name, to: &line)
        LogLine.append(",\"fields\":", to: &line)
        JSONWriter.writeInteger(Int64(operation.fieldCount), to: &line)
        LogLine.append(",\"caller\":", to: &line)
        JSONWriter.writeString(operation.caller.name, to: &line)
        LogLine.append(",\"errors\":", to: &line)
        JSONWriter.writeInteger(Int64(operation.errorCount), to: &line)
        guard operation.errorCount > 0 else { return }
        LogLine.append(",\"errorTypes\":", to: &line)
        JSONWriter.write(.array(operation.errorTypes.map(JSONValue.string)), to: &line)
    }

    func entry(_ operation: OperationSummary) -> RootFields.Entry {
        operations.indices.contains(operation.number) ? operations[operation.number] : .init(kind: "none", name: "none")
    }
}

extension OperationSummary {
    /// The names of its errors.
    var errorTypes: [String] {
        ErrorName.all.indices.filter { errorNames >> UInt64($0) & 1 == 1 }.map { ErrorName.all[$0] }
    }
}
