import JSON

/// `homeport status`: what the server of this folder is, where it is, since when it runs and what its parts are called.
package enum StatusCommand {
    private static let secondsPerMinute: Int64 = 60
    private static let minutesPerHour: Int64 = 60
    private static let hoursPerDay: Int64 = 24

    package static func run(_ configuration: Configuration, isJSON: Bool, _ output: CommandOutput) -> ExitCode {
        guard let found = RunningFile.read(in: configuration.data) else {
            output.report(
                "homeport: no server runs with the data folder \(configuration.data); `homeport serve` starts one")
            return .failure
        }
        let lines: [(name: String, key: String, text: String)] = (found["lines"]?.array ?? []).compactMap { line in
            guard let name = line["name"]?.string, let key = line["key"]?.string, let text = line["text"]?.string else {
                return nil
            }
            return (name, key, text)
        }
        let started = found["startedMilliseconds"]?.integer ?? 0
        if isJSON {
            var value = JSONObject()
            for key in ["version", "process"] { value[key] = found[key] }
            value["startedAt"] = .string(Timestamp(seconds: started / 1_000).text)
            for line in lines where value[line.key] == nil {
                let texts = lines.filter { $0.key == line.key }.map { JSONValue.string($0.text) }
                value[line.key] = Banner.lists.contains { $0 == line.key } ? .array(texts) : texts.first
            }
            output.print(JSONWriter.text(of: .object(value)))
            return .success
        }
        let process = found["process"]?.integer ?? 0
        output.print(
            "\(Version.name) \(found["version"]?.string ?? "?")  runs since \(Timestamp(seconds: started / 1_000).text) "
                + "(\(duration(Timestamp.now.millisecondsSince1970 - started))), process \(process)")
        for line in Banner.columns(lines.map { ($0.name, $0.text) }) { output.print(line) }
        return .success
    }

    /// `5 min`, `2 h 5 min`, `3 d 2 h`.
    static func duration(_ milliseconds: Int64) -> String {
        let minutes = max(0, milliseconds) / 1_000 / secondsPerMinute
        let (hours, days) = (minutes / minutesPerHour, minutes / minutesPerHour / hoursPerDay)
        if days > 0 { return "\(days) d \(hours % hoursPerDay) h" }
        return hours > 0 ? "\(hours) h \(minutes % minutesPerHour) min" : "\(minutes) min"
    }
}
