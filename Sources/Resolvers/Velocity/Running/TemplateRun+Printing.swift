import JSON

/// Java's `toString`, and `$util.toJson`.
extension TemplateRun {
    /// Prints a value. False: it has no text.
    func print(_ value: TemplateValue) throws(TemplateExit) {
        switch value {
        case .text(let text): try print(text.utf8)
        case .block(let nodes): try nested { () throws(TemplateExit) in try render(nodes) }
        default:
            var buffer: [UInt8] = []
            try write(value, to: &buffer, level: 0)
            try print(buffer)
        }
    }

    /// Java's `toString`.
    func text(of value: TemplateValue) throws(TemplateExit) -> String {
        if case .text(let text) = value { return text }
        var buffer: [UInt8] = []
        try write(value, to: &buffer, level: 0)
        return String(decoding: buffer, as: UTF8.self)
    }

    private func write(_ value: TemplateValue, to buffer: inout [UInt8], level: Int) throws(TemplateExit) {
        try count()
        try checkNesting(level)
        switch value {
        case .null, .library: buffer += "null".utf8
        case .bool(let value): buffer += (value ? "true" : "false").utf8
        case .integer(let value): JSONWriter.writeInteger(Int64(value), to: &buffer)
        case .long(let value): JSONWriter.writeInteger(value, to: &buffer)
        case .large(let value): buffer += value.description.utf8
        case .double(let value): buffer += JavaNumber.text(of: value).utf8
        case .character(let unit): buffer += String(decoding: [unit], as: UTF16.self).utf8
        case .text(let text):
            try count(text.utf8.count / VelocityLimits.bytesPerStep)
            buffer += text.utf8
        case .list(let list):
            try check(list)
            try writeList(list.elements, to: &buffer, level: level)
        case .view(let view):
            try writeList(view.elements(heap), to: &buffer, level: level)
        case .map(let map):
            buffer.append(UInt8(ascii: "{"))
            for (index, member) in map.members(heap).enumerated() {
                if index > 0 { buffer += ", ".utf8 }
                try write(member.key.value, to: &buffer, level: level + 1)
                buffer.append(UInt8(ascii: "="))
                try write(member.value, to: &buffer, level: level + 1)
            }
            buffer.append(UInt8(ascii: "}"))
        case .entry(let entry):
            try write(entry.key.value, to: &buffer, level: level + 1)
            buffer.append(UInt8(ascii: "="))
            try write(entry.value(heap), to: &buffer, level: level + 1)
        case .loop: buffer += "{}".utf8
        case .iterator: buffer += "java.util.Iterator".utf8
        case .block(let nodes):
            buffer += try rendered(nodes)
        }
        guard buffer.count <= limits.resultBytesMax else {
            throw fault("A text has more than \(limits.resultBytesMax) bytes.")
        }
    }

    private func writeList(
        _ elements: [TemplateValue], to buffer: inout [UInt8], level: Int
    ) throws(TemplateExit) {
        buffer.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer += ", ".utf8 }
            try write(element, to: &buffer, level: level + 1)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    // MARK: - JSON

    /// Writes a value as JSON.
    func writeJSON(_ value: TemplateValue, to buffer: inout [UInt8], level: Int = 0) throws(TemplateExit) {
        try count()
        try checkNesting(level)
        switch value {
        case .null, .library, .iterator, .loop: JSONWriter.writeNull(to: &buffer)
        case .bool(let value): JSONWriter.writeBool(value, to: &buffer)
        case .integer(let value): JSONWriter.writeInteger(Int64(value), to: &buffer)
        case .long(let value): JSONWriter.writeInteger(value, to: &buffer)
        case .large(let value): buffer += value.description.utf8
        case .double(let value):
            if value.isFinite { buffer += JavaNumber.text(of: value).utf8 } else { JSONWriter.writeNull(to: &buffer) }
        case .text(let text):
            try count(text.utf8.count / VelocityLimits.bytesPerStep)
            JSONWriter.writeString(text, to: &buffer)
        case .character, .block:
            JSONWriter.writeString(try text(of: value), to: &buffer)
        case .list(let list):
            try check(list)
            try writeJSON(list.elements, to: &buffer, level: level)
        case .view(let view):
            try writeJSON(view.elements(heap), to: &buffer, level: level)
        case .map(let map):
            buffer.append(UInt8(ascii: "{"))
            if let json = map.json {
                for (index, member) in json.members.enumerated() {
                    if index > 0 { buffer.append(UInt8(ascii: ",")) }
                    JSONWriter.writeKey(member.key, to: &buffer)
                    try writeJSON(member.value, to: &buffer, level: level + 1)
                }
            } else {
                for (index, member) in map.members(heap).enumerated() {
                    if index > 0 { buffer.append(UInt8(ascii: ",")) }
                    JSONWriter.writeKey(try name(member.key), to: &buffer)
                    try writeJSON(member.value, to: &buffer, level: level + 1)
                }
            }
            buffer.append(UInt8(ascii: "}"))
        case .entry(let entry):
            buffer.append(UInt8(ascii: "{"))
            JSONWriter.writeKey(try name(entry.key), to: &buffer)
            try writeJSON(entry.value(heap), to: &buffer, level: level + 1)
            buffer.append(UInt8(ascii: "}"))
        }
        guard buffer.count <= limits.resultBytesMax else {
            throw fault("A value has more than \(limits.resultBytesMax) bytes as JSON.")
        }
    }

    private func writeJSON(
        _ elements: [TemplateValue], to buffer: inout [UInt8], level: Int
    ) throws(TemplateExit) {
        buffer.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            try writeJSON(element, to: &buffer, level: level + 1)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    private func writeJSON(_ value: JSONValue, to buffer: inout [UInt8], level: Int) throws(TemplateExit) {
        try count()
        try checkNesting(level)
        switch value {
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                try writeJSON(element, to: &buffer, level: level + 1)
            }
            buffer.append(UInt8(ascii: "]"))
        case .object(let object):
            buffer.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                JSONWriter.writeKey(member.key, to: &buffer)
                try writeJSON(member.value, to: &buffer, level: level + 1)
            }
            buffer.append(UInt8(ascii: "}"))
        case .double(let value) where value.isFinite:
            buffer += JavaNumber.text(of: value).utf8
        default:
            JSONWriter.write(value, to: &buffer)
        }
    }

    func name(_ key: TemplateKey) throws(TemplateExit) -> String { try text(of: key.value) }

    /// A value as JSON, for functions and for what comes of the template.
    func json(_ value: TemplateValue, level: Int = 0) throws(TemplateExit) -> JSONValue {
        try count()
        try checkNesting(level)
        switch value {
        case .null, .library, .iterator, .loop: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(Int64(value))
        case .long(let value): return .integer(value)
        case .large(let value): return Int64(exactly: value).map { .integer($0) } ?? .largeInteger(value.description)
        case .double(let value): return value.isFinite ? .double(value) : .null
        case .text(let text): return .string(text)
        case .character, .block: return .string(try text(of: value))
        case .list(let list):
            try check(list)
            return .array(try json(list.elements, level))
        case .view(let view): return .array(try json(view.elements(heap), level))
        case .map(let map):
            if let json = map.json {
                try measure(.object(json), level: level)
                return .object(json)
            }
            var object = JSONObject()
            for member in map.members(heap) {
                object.set(try name(member.key), to: try json(member.value, level: level + 1))
            }
            return .object(object)
        case .entry(let entry):
            return .object(
                JSONObject(distinct: [
                    .init(key: try name(entry.key), value: try json(entry.value(heap), level: level + 1))
                ]))
        }
    }

    private func json(_ elements: [TemplateValue], _ level: Int) throws(TemplateExit) -> [JSONValue] {
        var values: [JSONValue] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try json(element, level: level + 1)) }
        return values
    }

    /// Takes the steps of JSON that is taken as it is, and looks how deep it is.
    private func measure(_ value: JSONValue, level: Int) throws(TemplateExit) {
        try count()
        try checkNesting(level)
        switch value {
        case .array(let elements):
            for element in elements { try measure(element, level: level + 1) }
        case .object(let object):
            for member in object.members { try measure(member.value, level: level + 1) }
        default: break
        }
    }
}
