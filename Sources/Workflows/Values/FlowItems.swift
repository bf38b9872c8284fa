import JSON

/// The elements of a file that a distributed `Map` reads.
enum FlowItems {
    private static let failure = "States.ItemReaderFailed"

    static func fault(_ cause: String) -> FlowFault { FlowFault(failure, cause) }

    /// How many elements are read; nil: all.
    static func limit(_ config: JSONValue) throws(FlowFault) -> Int? {
        guard let value = config["MaxItems"], !value.isNull else { return nil }
        guard let number = value.wholeNumber else {
            throw fault("field MaxItems must be a number")
        }
        guard number >= 0 else { throw fault("field MaxItems must be positive") }
        return number == 0 ? nil : Int(clamping: number)
    }

    static func items(of bytes: [UInt8], _ config: JSONValue) throws(FlowFault) -> [JSONValue] {
        let limit = try limit(config)
        let items =
            switch config["InputType"]?.string {
            case "JSON": try json(bytes, pointer: config["ItemsPointer"]?.string)
            case "JSONL": try lines(bytes)
            case "CSV": try csv(bytes, config)
            case let type: throw fault("The InputType '\(type ?? "")' is not one that is read here.")
            }
        let wanted = limit.map { Array(items.prefix($0)) } ?? items
        guard wanted.count <= WorkflowLimits.runItemsMax else {
            throw fault("The file has more than \(WorkflowLimits.runItemsMax) elements.")
        }
        return wanted
    }

    // MARK: JSON

    private static let limits = JSONLimits(
        bytesMax: WorkflowLimits.itemFileBytesMax, nestingMax: WorkflowLimits.dataNestingMax)

    static func value(_ bytes: [UInt8]) throws(FlowFault) -> JSONValue {
        do throws(JSONError) { return try JSONReader.value(of: bytes, limits: limits) } catch {
            throw fault("The file cannot be read as JSON: \(error)")
        }
    }

    private static func json(_ bytes: [UInt8], pointer: String?) throws(FlowFault) -> [JSONValue] {
        var value = try value(bytes)
        for part in (pointer ?? "").parts(separatedBy: "/").dropFirst() {
            let name = part.parts(separatedBy: "~1").joined(separator: "/").parts(separatedBy: "~0")
                .joined(separator: "~")
            let inner =
                value[name]
                ?? Int(name).flatMap { place in
                    value.array.flatMap { $0.indices.contains(place) ? $0[place] : nil }
                }
            guard let inner else { throw fault("The ItemsPointer '\(pointer ?? "")' leads to nothing in the file.") }
            value = inner
        }
        guard let list = value.array else { throw fault("Attempting to map over non-iterable node.") }
        return list
    }

    private static func lines(_ bytes: [UInt8]) throws(FlowFault) -> [JSONValue] {
        var items: [JSONValue] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) where !line.allSatisfy({ $0 <= 0x20 }) {
            items.append(try value(Array(line)))
        }
        return items
    }

    // MARK: CSV

    private static func delimiter(_ name: String?) -> UInt8 {
        switch name {
        case "PIPE"?: UInt8(ascii: "|")
        case "SEMICOLON"?: UInt8(ascii: ";")
        case "SPACE"?: UInt8(ascii: " ")
        case "TAB"?: UInt8(ascii: "\t")
        default: UInt8(ascii: ",")
        }
    }

    static func csv(_ bytes: [UInt8], _ config: JSONValue) throws(FlowFault) -> [JSONValue] {
        var rows = try rows(bytes, delimiter(config["CSVDelimiter"]?.string))[...]
        var names = (config["CSVHeaders"]?.array ?? []).compactMap(\.string)
        if config["CSVHeaderLocation"]?.string == "FIRST_ROW" { names = rows.popFirst() ?? [] }
        var known: Set<ByteText> = []
        for name in names where !known.insert(ByteText(name)).inserted {
            throw fault("CSV headers cannot contain duplicates.")
        }
        let order = hashOrder(of: names)
        return rows.map { row in
            var object = JSONObject()
            for place in order {
                object.set(names[place], to: .string(row.indices.contains(place) ? row[place] : ""))
            }
            return .object(object)
        }
    }

    /// The places of names in the order of the service's maps, which are hash tables of Java: outputs are compared as texts.
    static func hashOrder(of names: [String]) -> [Int] {
        var size: UInt32 = 16
        while Int(size) * 3 < names.count * 4 { size *= 2 }
        let buckets = names.map { name in
            let hash = name.utf16.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
            return (hash ^ (hash >> 16)) & (size - 1)
        }
        return names.indices.sorted { (buckets[$0], $0) < (buckets[$1], $1) }
    }

    /// The rows of a file, without those of no letter. A quote within quotes is written twice.
    private static func rows(_ bytes: [UInt8], _ delimiter: UInt8) throws(FlowFault) -> [[String]] {
        let (quote, newline, carriage) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var (isQuoted, isOpen) = (false, false)
        func ended() -> String { String(decoding: field, as: UTF8.self) }
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if isOpen {
                guard byte == quote else {
                    field.append(byte)
                    continue
                }
                if place < bytes.count, bytes[place] == quote {
                    field.append(quote)
                    place += 1
                } else {
                    isOpen = false
                }
            } else if byte == quote, field.isEmpty, !isQuoted {
                (isOpen, isQuoted) = (true, true)
            } else if byte == delimiter {
                row.append(ended())
                (field, isQuoted) = ([], false)
            } else if byte == newline || byte == carriage {
                if !row.isEmpty || !field.isEmpty || isQuoted { rows.append(row + [ended()]) }
                (row, field, isQuoted) = ([], [], false)
            } else {
                field.append(byte)
            }
        }
        guard !isOpen else { throw fault("The file ends within quotes.") }
        if !row.isEmpty || !field.isEmpty || isQuoted { rows.append(row + [ended()]) }
        return rows
    }
}
