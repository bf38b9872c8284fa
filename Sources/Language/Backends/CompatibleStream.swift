import JSON

/// A stream of OpenAI's chat completions as it becomes one of Converse's events.
struct CompatibleStream {
    /// The block that is open, with the tool's number where it is one.
    private enum Open {
        case text
        case tool(Int64)
    }

    private var open: Open?
    private var index = 0
    private var hasTools = false
    private var reason: String?
    private var usage = TokenUsage()
    private var hasBegun = false

    /// The events of a line of data.
    mutating func events(of data: [UInt8]) throws(LanguageError) -> [ConverseEvent] {
        guard !data.elementsEqual("[DONE]".utf8), !data.isEmpty else { return [] }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: data)
        } catch {
            throw .failed("The language model sent an event that is not JSON: \(error)")
        }
        if let words = value["error"]?["message"]?.string ?? value["error"]?.string {
            throw .failed("The language model failed: \(LanguageError.shortened(words))")
        }
        if let told = value["usage"], !told.isNull { usage = CompatibleBackend.usage(told) }
        guard let choice = value["choices"]?[0] else { return [] }
        var events: [ConverseEvent] = hasBegun ? [] : [.messageStart]
        hasBegun = true
        if let text = choice["delta"]?["content"]?.string, !text.isEmpty {
            if case .tool? = open { close(&events) }
            open = .text
            events.append(.text(index, text))
        }
        for call in choice["delta"]?["tool_calls"]?.array ?? [] { add(call, to: &events) }
        if let told = choice["finish_reason"]?.string { reason = told }
        return events
    }

    private mutating func add(_ call: JSONValue, to events: inout [ConverseEvent]) {
        let number = call["index"]?.integer ?? 0
        let name = call["function"]?["name"]?.string ?? ""
        var isSame = false
        if case .tool(number)? = open { isSame = true }
        // A server that numbers nothing names each tool once.
        if !isSame || (!name.isEmpty && call["index"] == nil) {
            guard !name.isEmpty else { return }
            close(&events)
            open = .tool(number)
            hasTools = true
            events.append(.toolStart(index, id: CompatibleBackend.identifier(call["id"]), name: name))
        }
        switch call["function"]?["arguments"] {
        case .string(let text)? where !text.isEmpty: events.append(.toolInput(index, text))
        case .object(let object)?: events.append(.toolInput(index, JSONWriter.text(of: .object(object))))
        default: break
        }
    }

    private mutating func close(_ events: inout [ConverseEvent]) {
        guard open != nil else { return }
        open = nil
        events.append(.blockStop(index))
        index += 1
    }

    /// The events when nothing more comes.
    mutating func end() throws(LanguageError) -> [ConverseEvent] {
        guard hasBegun else {
            throw .failed("The language model ended its answer before it said anything.")
        }
        var events: [ConverseEvent] = []
        close(&events)
        let reason = hasTools ? "tool_use" : CompatibleBackend.reason(reason, [])
        return events + [.messageStop(reason), .metadata(usage)]
    }
}
