import Blueprint
import JSON

/// The report of a start beside the steps in its log: for a person as the commands print it, for machines as lines
/// of the log. With `log.format` json there is nothing else on either output.
struct StartReport {
    private let output: CommandOutput
    private let log: Log

    init(_ output: CommandOutput, _ log: Log) {
        (self.output, self.log) = (output, log)
    }

    private var isForMachines: Bool { log.style.format == .json }

    /// The warnings about the schema and the project around it.
    func tell(_ diagnostics: [Diagnostic]) {
        guard isForMachines else {
            return ShownDiagnostics.report(diagnostics, output) { $0.isError ? $0.description : $0.brief }
        }
        for diagnostic in diagnostics.prefix(ShownDiagnostics.countMax) {
            let fields: KeyValuePairs<String, JSONValue> = [
                "file": diagnostic.file.map(JSONValue.string) ?? .null,
                "line": diagnostic.location.map { .integer(Int64($0.line)) } ?? .null,
                "column": diagnostic.location.map { .integer(Int64($0.column)) } ?? .null,
                "hint": diagnostic.hint.map(JSONValue.string) ?? .null,
            ]
            switch diagnostic.severity {
            case .error: log.error(diagnostic.message, fields)
            case .warning: log.warning(diagnostic.message, fields)
            case .note: log.info(diagnostic.message, fields)
            }
        }
        if let rest = ShownDiagnostics.rest(of: diagnostics) { log.warning(rest) }
    }

    /// Why there is no server.
    func refused(_ error: StartError) {
        guard isForMachines else { return output.report("homeport: \(error.message)") }
        log.error(error.message, ["exitCode": .integer(Int64(error.code.rawValue))])
        log.queue.flush()
    }

    /// Where the server is: on standard output, for whoever waits for it there.
    func serving(_ banner: Banner, hasColours: Bool, isVerbose: Bool) {
        guard isForMachines else { return output.print(banner.text(hasColours: hasColours, isVerbose: isVerbose)) }
        var line: [UInt8] = []
        LogLine.write(
            .info, "serving", banner.fields, at: .now, LogStyle(format: .json, hasColours: false), to: &line)
        output.print(String(decoding: line.dropLast(), as: UTF8.self))
    }
}
