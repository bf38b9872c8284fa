import Console
import Functions
import JSON

extension ConsoleHouse {
    var functionList: [JSONObject] {
        guard let running = parts.functions else { return [] }
        return running.settings.sorted { $0.name < $1.name }.map { described($0, running.functions.journal) }
    }

    func function(_ name: String) -> JSONObject? {
        guard let running = parts.functions,
            let settings = running.settings.first(where: { ByteText($0.name) == ByteText(name) })
        else { return nil }
        var function = described(settings, running.functions.journal)
        let entry = running.functions.journal.entry(name)
        function["newestCalls"] = .array(entry.calls.reversed().map(Self.json))
        function["lines"] = .array(
            entry.lines.map { line in
                [
                    "at": .moment(line.at), "level": .string(Self.word(line.report.level)),
                    "call": .text(line.report.request), "text": .string(line.report.text),
                ]
            })
        return function
    }

    func invoke(_ name: String, _ event: [UInt8]) async throws(ConsoleError) -> JSONObject? {
        guard let functions = parts.functions?.functions, functions.has(name) else { return nil }
        let began = Timestamp.monotonicMilliseconds
        let answer = await functions.invoke(FunctionRequest(name, event))
        var json = JSONObject([("id", .string(answer.id))])
        Self.write(answer.outcome, to: &json)
        json["milliseconds"] = .integer(Timestamp.monotonicMilliseconds - began)
        json["output"] = .string(String(decoding: answer.tail, as: UTF8.self))
        return json
    }

    private func described(_ settings: FunctionSettings, _ journal: FunctionJournal) -> JSONObject {
        let entry = journal.entry(settings.name)
        return JSONObject([
            ("name", .string(settings.name)), ("handler", .string(Self.place(of: settings))),
            ("folder", .string(settings.folder)), ("timeoutSeconds", .count(settings.timeoutSeconds)),
            ("memoryMegabytes", .count(settings.memoryMegabytes)), ("concurrency", .count(settings.concurrency)),
            ("schedules", .count(parts.schedules.count(of: settings.name))), ("calls", .count(entry.count)),
            ("failures", .count(entry.failures)), ("lastCallAt", .moment(entry.calls.last?.began)),
        ])
    }

    /// The program of a function, in words.
    private static func place(of settings: FunctionSettings) -> String {
        switch settings.program {
        case .words(let words): words.joined(separator: " ")
        case .line(let line): line
        case .handler: settings.handler
        }
    }

    private static func json(_ call: FunctionJournal.Call) -> JSONValue {
        var json = JSONObject([
            ("id", .string(call.id)), ("at", .moment(call.began)), ("milliseconds", .integer(call.milliseconds)),
            ("event", .string(String(decoding: call.event, as: UTF8.self))), ("eventBytes", .count(call.eventBytes)),
        ])
        write(call.outcome, to: &json)
        return .object(json)
    }

    /// How a call ended, and what it returned, as text.
    private static func write(_ outcome: FunctionOutcome, to json: inout JSONObject) {
        let (word, text): (String, String) =
            switch outcome {
            case .result(let bytes): ("ok", String(decoding: bytes, as: UTF8.self))
            case .failed(let bytes): ("failed", String(decoding: bytes, as: UTF8.self))
            case .refused(let refusal): ("refused", refusal.message)
            case .givenUp: ("given up", "The caller waits no longer.")
            }
        json["outcome"] = .string(word)
        json["result"] = .string(text)
    }

    private static func word(_ level: FunctionReport.Level) -> String {
        switch level {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        }
    }
}
