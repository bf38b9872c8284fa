import JSON

/// Reads the parts of a distributed `Map`.
extension FlowReader {
    private static let ownFields = [
        "ItemReader", "ItemBatcher", "ResultWriter", "Label",
    ]
    private static let delimiters = ["COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"]
    private static let inputTypes = ["CSV", "JSON", "JSONL", "MANIFEST"]

    /// Nil: the mode is INLINE.
    ///
    /// - Parameters:
    ///   - inner: the `ItemProcessor`.
    ///   - machineLanguage: that of the whole machine, which the states inside have.
    static func distribution(
        _ fields: FlowFields, of inner: JSONValue, _ language: FlowLanguage, in machineLanguage: FlowLanguage
    ) throws(FlowRefusal) -> FlowDistribution? {
        let config = inner["ProcessorConfig"] ?? .null
        let mode = config["Mode"]?.string ?? "INLINE"
        guard mode == "DISTRIBUTED" else {
            guard mode == "INLINE" else { throw fields.refusal("'Mode' is INLINE or DISTRIBUTED") }
            for name in ownFields where fields.value[name] != nil {
                throw fields.refusal("'\(name)' is a field of the mode DISTRIBUTED")
            }
            return nil
        }
        let type = config["ExecutionType"]?.string ?? "STANDARD"
        guard type == "STANDARD" || type == "EXPRESS" else {
            throw fields.refusal("'ExecutionType' is STANDARD or EXPRESS")
        }
        var parts = JSONObject()
        let source = try source(fields, language, &parts)
        if let batcher = fields.value["ItemBatcher"] {
            parts.set(
                "Batcher", to: try settings(batcher, FlowFields(batcher, at: "\(fields.place)/ItemBatcher"), language))
        }
        var tolerance = JSONObject()
        for member in fields.value.object?.members ?? [] where member.key.hasPrefix("ToleratedFailure") {
            tolerance.set(member.key, to: member.value)
        }
        if !tolerance.isEmpty {
            try check(tolerance, fields)
            parts.set("Tolerance", to: try settings(.object(tolerance), fields, language))
        }
        let writes = try writer(fields, language, &parts)
        var definition = inner.object ?? JSONObject()
        if machineLanguage == .query, definition["QueryLanguage"] == nil {
            definition.set("QueryLanguage", to: .string(FlowLanguage.query.rawValue))
        }
        let all = JSONValue.object(parts)
        return FlowDistribution(
            label: try label(fields), isExpress: type == "EXPRESS", text: JSONWriter.text(of: .object(definition)),
            source: source,
            parts: language == .query
                ? .query(try FlowQueryTemplate(all, field: "ItemReader", at: fields.place))
                : .path(try FlowTemplate(all, at: fields.place)),
            isBatched: fields.value["ItemBatcher"] != nil, writes: writes, tolerance: .object(tolerance))
    }

    /// A part in which `NAMEPath` stands for the value at a path: it becomes `NAME.$`, as in other templates.
    private static func settings(
        _ value: JSONValue, _ fields: FlowFields, _ language: FlowLanguage
    ) throws(FlowRefusal) -> JSONValue {
        guard let object = value.object else { throw fields.refusal("An object is expected, found \(value.kind)") }
        guard language == .path else { return value }
        var settings = JSONObject()
        for member in object.members {
            guard member.key.hasSuffix("Path") else {
                settings.set(member.key, to: member.value)
                continue
            }
            let name = String(member.key.dropLast(4))
            guard object[name] == nil else {
                throw fields.refusal("'\(name)' and '\(member.key)' cannot both be there")
            }
            settings.set("\(name).$", to: member.value)
        }
        return .object(settings)
    }

    /// The fields of a call of S3, in the state's language.
    private static func place(
        _ part: FlowFields, _ language: FlowLanguage, _ wanted: [String]
    ) throws(FlowRefusal) -> JSONValue {
        let name = language == .query ? "Arguments" : "Parameters"
        guard let place = part.value[name], let object = place.object else {
            guard let place = part.value[name], language == .query, place.string != nil else {
                throw part.refusal("The field '\(name)' is missing")
            }
            return place
        }
        for name in wanted where object[name] == nil && object["\(name).$"] == nil {
            throw part.refusal("The field '\(name)' is missing")
        }
        return place
    }

    private static func source(
        _ fields: FlowFields, _ language: FlowLanguage, _ parts: inout JSONObject
    ) throws(FlowRefusal) -> FlowDistribution.Source? {
        guard let value = fields.value["ItemReader"] else { return nil }
        let reader = FlowFields(value, at: "\(fields.place)/ItemReader")
        let resource = try reader.demandedText("Resource")
        guard let source = FlowDistribution.Source(rawValue: resource) else {
            throw reader.refusal(
                "'Resource' is \(FlowDistribution.Source.object.rawValue) or \(FlowDistribution.Source.listing.rawValue)"
            )
        }
        parts.set("Object", to: try place(reader, language, source == .object ? ["Bucket", "Key"] : ["Bucket"]))
        let config = FlowFields(value["ReaderConfig"] ?? .object(JSONObject()), at: "\(reader.place)/ReaderConfig")
        if source == .object { try check(reading: config) }
        parts.set("Reader", to: try settings(config.value, config, language))
        return source
    }

    private static func check(reading config: FlowFields) throws(FlowRefusal) {
        let type = try config.demandedText("InputType")
        guard inputTypes.contains(type) || FlowQueryText.source(of: type) != nil else {
            throw config.refusal("'InputType' is \(inputTypes.joined(separator: ", ")): \(type) is not served here")
        }
        guard try config.text("ManifestType").map({ $0 == "S3_INVENTORY" }) ?? true else {
            throw config.refusal("'ManifestType' is S3_INVENTORY: no other is served here")
        }
        guard try config.text("CSVDelimiter").map({ delimiters.contains($0) }) ?? true else {
            throw config.refusal("'CSVDelimiter' is one of \(delimiters.joined(separator: ", "))")
        }
        guard type == "CSV" else { return }
        let location = try config.demandedText("CSVHeaderLocation")
        guard location == "FIRST_ROW" || location == "GIVEN" else {
            throw config.refusal("'CSVHeaderLocation' is FIRST_ROW or GIVEN")
        }
        guard location == "FIRST_ROW" || config.value["CSVHeaders"]?.array?.allSatisfy({ $0.string != nil }) == true
        else {
            throw config.refusal("'CSVHeaders' is a list of texts")
        }
    }

    private static func check(_ tolerance: JSONObject, _ fields: FlowFields) throws(FlowRefusal) {
        if let count = tolerance["ToleratedFailureCount"], count.string == nil {
            guard count.integer.map({ $0 >= 0 }) == true else {
                throw fields.refusal("'ToleratedFailureCount' is a whole number from 0 on")
            }
        }
        if let share = tolerance["ToleratedFailurePercentage"], share.string == nil {
            guard share.number.map({ (0...100).contains($0) }) == true else {
                throw fields.refusal("'ToleratedFailurePercentage' is a number from 0 to 100")
            }
        }
    }

    private static func writer(
        _ fields: FlowFields, _ language: FlowLanguage, _ parts: inout JSONObject
    ) throws(FlowRefusal) -> Bool {
        guard let value = fields.value["ResultWriter"] else { return false }
        let writer = FlowFields(value, at: "\(fields.place)/ResultWriter")
        if let config = value["WriterConfig"] {
            let types = [("OutputType", ["JSON", "JSONL"]), ("Transformation", ["NONE", "COMPACT", "FLATTEN"])]
            for (name, known) in types {
                guard config[name].map({ $0.string.map { known.contains($0) } == true }) ?? true else {
                    throw writer.refusal("'\(name)' is one of \(known.joined(separator: ", "))")
                }
            }
            parts.set("WriterConfig", to: config)
        }
        guard let resource = try writer.text("Resource") else {
            guard value["WriterConfig"] != nil else { throw writer.refusal("The field 'Resource' is missing") }
            return false
        }
        guard resource == "arn:aws:states:::s3:putObject" else {
            throw writer.refusal("'Resource' is arn:aws:states:::s3:putObject")
        }
        parts.set("Writer", to: try place(writer, language, ["Bucket"]))
        return true
    }

    private static let forbiddenInLabels = Set(" ?*<>{}[]:;,\\|^~$#%&`\"".unicodeScalars)

    private static func label(_ fields: FlowFields) throws(FlowRefusal) -> String? {
        guard let label = try fields.text("Label") else { return nil }
        guard !label.isEmpty else { throw fields.refusal("Label cannot be empty") }
        guard label.unicodeScalars.count <= WorkflowLimits.labelCharactersMax else {
            throw fields.refusal("Label cannot exceed \(WorkflowLimits.labelCharactersMax) characters")
        }
        if let letter = label.unicodeScalars.first(where: {
            forbiddenInLabels.contains($0) || $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "/"
        }) {
            throw fields.refusal("Label contains invalid character: '\(letter)'")
        }
        return label
    }
}
