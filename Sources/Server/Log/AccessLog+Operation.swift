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
    /// `mutation createPost user-pool`: which operation it was, and for whom.
    ///
    /// Static, as all that writes into the log's own line is: a log that is read meanwhile is copied, and its line with it.
    static func writeOperation(_ operation: OperationSummary, _ entry: RootFields.Entry, to line: inout [UInt8]) {
        LogLine.appendName(entry.kind, to: &line)
        line.append(UInt8(ascii: " "))
        LogLine.appendName(entry.name, to: &line)
        if operation.fieldCount > 1 {
            line.append(UInt8(ascii: "+"))
            JSONWriter.writeInteger(Int64(operation.fieldCount - 1), to: &line)
        }
        line.append(UInt8(ascii: " "))
        LogLine.appendName(operation.caller.name, to: &line)
    }

    /// `mutation createPost user-pool 200 1.204ms 512B `: the same, and what became of one without errors.
    static func writeFlawless(
        _ entry: Entry, _ operation: OperationSummary, _ known: RootFields.Entry, to line: inout [UInt8]
    ) {
        let caller = operation.caller.name
        let names = known.kind.utf8.count + known.name.utf8.count + caller.utf8.count
        line.append(piecesOf: names + 5 * BytePieces.decimalMax + 16) { pieces in
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
            pieces.append(decimal: UInt64(clamping: entry.status))
            pieces.append(" ")
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
    static func writeErrors(_ operation: OperationSummary, to line: inout [UInt8]) {
        guard operation.errorCount > 0 else { return }
        JSONWriter.writeInteger(Int64(operation.errorCount), to: &line)
        if operation.errorCount >= OperationSummary.errorCountMax { line.append(UInt8(ascii: "+")) }
        LogLine.append(operation.errorCount == 1 ? " error " : " errors ", to: &line)
        for (place, name) in operation.errorTypes.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            line.append(contentsOf: name.utf8)
        }
        line.append(UInt8(ascii: " "))
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
