import JSON

/// Records as a file: JSON, or lines of values with commas between (RFC 4180), lists and objects as JSON there.
enum RowFile: Sendable {
    case json, csv

    init(_ text: String?) throws(ConsoleError) {
        switch text {
        case "json": self = .json
        case "csv": self = .csv
        default: throw .badRequest("The format is json or csv.", place: "format")
        }
    }

    var type: String { self == .json ? "application/json" : "text/csv; charset=utf-8" }
    var ending: String { self == .json ? "json" : "csv" }

    // MARK: Writing

    func begin(_ fields: [String], to bytes: inout [UInt8]) {
        switch self {
        case .json: bytes += Array("[".utf8)
        case .csv:
            bytes += Array(fields.map(Self.cell).joined(separator: ",").utf8)
            bytes += Array("\r\n".utf8)
        }
    }

    func append(_ values: JSONObject, _ fields: [String], isFirst: Bool, to bytes: inout [UInt8]) {
        switch self {
        case .json:
            bytes += Array((isFirst ? "\n" : ",\n").utf8)
            JSONWriter.write(.object(values), to: &bytes)
        case .csv:
            bytes += Array(fields.map { Self.cell(values[$0]) }.joined(separator: ",").utf8)
            bytes += Array("\r\n".utf8)
        }
    }

    func end(_ bytes: inout [UInt8]) { if self == .json { bytes += Array("\n]\n".utf8) } }

    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null?: ""
        case .string(let text)?: cell(text)
        case let value?: cell(JSONWriter.text(of: value))
        }
    }

    /// Spreadsheets run what begins like a formula: an apostrophe before it makes it a text. An empty text has quotes, to be told
    /// from none.
    private static func cell(_ text: String) -> String {
        guard let first = text.utf8.first else { return "\"\"" }
        let isFormula = "=+-@\t\r".utf8.contains(first) && Double(text) == nil
        let text = isFormula ? "'\(text)" : text
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.parts(separatedBy: "\"").joined(separator: "\"\"") + "\""
    }

    // MARK: Reading

    /// The records of a file, each with the line that it is in. What a column's text stands for its type says.
    func records(
        _ bytes: [UInt8], _ value: (_ field: String, _ text: String) -> JSONValue
    ) throws(ConsoleError) -> [(line: Int, record: JSONObject)] {
        switch self {
        case .json: return try Self.jsonRecords(bytes)
        case .csv: return try Self.csvRecords(bytes, value)
        }
    }

    private static func jsonRecords(_ bytes: [UInt8]) throws(ConsoleError) -> [(line: Int, record: JSONObject)] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(
                of: bytes, limits: JSONLimits(bytesMax: ConsoleLimits.importBytesMax, nestingMax: 64))
        } catch {
            throw .badRequest("The file is no JSON: \(error).")
        }
        let list = value.array ?? [value]
        guard list.count <= ConsoleLimits.importRowsMax else { throw Self.tooMany }
        var records: [(line: Int, record: JSONObject)] = []
        for (number, element) in list.enumerated() {
            guard let record = element.object else {
                throw .badRequest("Element \(number + 1) of the file is \(element.kind), not a record.")
            }
            records.append((number + 1, record))
        }
        return records
    }

    private static func csvRecords(
        _ bytes: [UInt8], _ value: (String, String) -> JSONValue
    ) throws(ConsoleError) -> [(line: Int, record: JSONObject)] {
        var reader = CommaReader(bytes)
        guard let names = reader.next()?.cells.map(\.text) else { throw .badRequest("The file is empty.") }
        var records: [(line: Int, record: JSONObject)] = []
        while let row = reader.next() {
            if row.cells.count == 1, row.cells[0].text.isEmpty { continue }
            guard records.count < ConsoleLimits.importRowsMax else { throw Self.tooMany }
            guard row.cells.count == names.count else {
                throw .badRequest(
                    "Line \(row.line) has \(row.cells.count) values, the first line \(names.count) names.")
            }
            var record = JSONObject()
            for (name, cell) in zip(names, row.cells) where !cell.text.isEmpty || cell.isQuoted {
                record.set(name, to: value(name, cell.text))
            }
            records.append((row.line, record))
        }
        return records
    }

    private static let tooMany = ConsoleError(
        413, "tooLarge", "The file has more than \(ConsoleLimits.importRowsMax) records: use homeport import.")
}

/// Reads lines of values with commas between.
struct CommaReader {
    struct Cell {
        let text: String
        let isQuoted: Bool
    }

    private let bytes: [UInt8]
    private var place: Int
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next line, which may go over several in quotes; nil at the end.
    mutating func next() -> (line: Int, cells: [Cell])? {
        guard place < bytes.count else { return nil }
        let first = line
        var cells: [Cell] = []
        while true {
            cells.append(cell())
            guard place < bytes.count else { break }
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: ",") {
                if place == bytes.count { cells.append(Cell(text: "", isQuoted: false)) }
                continue
            }
            if byte == UInt8(ascii: "\r"), place < bytes.count, bytes[place] == UInt8(ascii: "\n") { place += 1 }
            line += 1
            break
        }
        return (first, cells)
    }

    private mutating func cell() -> Cell {
        var text: [UInt8] = []
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
            while place < bytes.count,
                ![UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(bytes[place])
            {
                text.append(bytes[place])
                place += 1
            }
            return Cell(text: String(decoding: text, as: UTF8.self), isQuoted: false)
        }
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") {
                guard place < bytes.count, bytes[place] == byte else { break }
                place += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            text.append(byte)
        }
        return Cell(text: String(decoding: text, as: UTF8.self), isQuoted: true)
    }
}
