import JSON

extension OutputsFormat.Wrapping {
    func bytes(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.writePretty(value, to: &bytes)
        return self.bytes(of: bytes)
    }

    /// What stands in such a file; nil where it is none.
    func value(in file: [UInt8]) -> JSONObject? {
        var text = file[...]
        if self != .json {
            guard let start = file.firstIndex(of: UInt8(ascii: "{")), let end = Self.end(in: file), start < end
            else { return nil }
            text = file[start...end]
        }
        // There Dart reads one of two.
        if self == .oldDart { text = Self.single(text)[...] }
        return (try? JSONReader.value(of: Array(text)))?.object
    }

    /// The place of the brace that ends the value: as it is written here the first one of a line, else the last one of all.
    private static func end(in file: [UInt8]) -> Int? {
        let (line, brace) = (UInt8(ascii: "\n"), UInt8(ascii: "}"))
        return file.indices.first { file[$0] == brace && $0 > 0 && file[$0 - 1] == line } ?? file.lastIndex(of: brace)
    }

    /// The same with one backslash for two.
    private static func single(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        var result: [UInt8] = []
        var isSecond = false
        for byte in text {
            isSecond = byte == backslash && !isSecond && result.last == backslash
            if !isSecond { result.append(byte) }
        }
        return result
    }
}
