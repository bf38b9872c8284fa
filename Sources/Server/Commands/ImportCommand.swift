import JSON
import Blueprint
import Glibc
import Network
import Store

/// `homeport import`: records from lines of JSON into a database.
package enum ImportCommand {
    /// How records are taken.
    package struct Choice: Sendable {
        package var isLenient: Bool
        package var replaces: Bool

        package init(isLenient: Bool = false, replaces: Bool = false) {
            self.isLenient = isLenient
            self.replaces = replaces
        }
    }

    /// Reads a file, or standard input without one.
    package static func run(
        _ resolution: ConfigurationResolver.Resolution, from file: String?, _ choice: Choice, _ output: CommandOutput
    ) -> ExitCode {
        let database = resolution.configuration.database
        guard database != .memory else {
            output.report(
                "homeport: a database in memory is gone with its process; name a file with --database, or let `serve --seed` fill "
                    + "it")
            return .configuration
        }
        guard file != nil || isatty(0) == 0 else {
            output.report("homeport: expected a file, or lines on standard input, found a terminal")
            return .usage
        }
        // A file beyond the limit of the system is an error of write, not the end by a signal.
        signal(SIGXFSZ, SIG_IGN)
        let opened: CommandStore
        do throws(CommandStore.End) { opened = try CommandStore(resolution, output) } catch { return error.code }
        let bar = ProgressBar("lines")
        do throws(TransferError) {
            let outcome = try load(database, opened.blueprint, file, choice, bar)
            bar.clear()
            output.report(summary(of: outcome))
            return .success
        } catch {
            bar.clear()
            output.report("homeport: \(error)")
            if case .line = error {
                output.report(
                    "The lines before it are imported. Correct it and import again: what is there already is passed over."
                )
            }
            return ExitCode(error)
        }
    }

    private static func load(
        _ database: DatabaseLocation, _ blueprint: Blueprint, _ file: String?, _ choice: Choice, _ bar: ProgressBar
    ) throws(TransferError) -> RecordImport.Outcome {
        let opened: CommandStore.Opened
        let options = RecordImport.Options(now: .now, isLenient: choice.isLenient, replaces: choice.replaces)
        if case .file(let path) = database {
            do throws(SystemError) { try DataFolder.make(for: path) } catch {
                throw .unwritable("cannot make the folder \(error.subject): \(String(cString: strerror(error.code)))")
            }
        }
        do throws(StoreError) {
            opened = try CommandStore.open(
                database, for: blueprint, sync: .ofImport, nowMilliseconds: options.now.milliseconds)
        } catch { throw .store(error) }
        let outcome: RecordImport.Outcome
        do throws(TransferError) {
            let load = RecordImport(into: opened.store, of: blueprint, options)
            let report = { (progress: RecordImport.Progress) in
                let part = progress.bytesMax.map { Double(progress.bytes) / Double(max(1, $0)) }
                bar.show(count: progress.lineCount, part: part)
            }
            outcome =
                if let file { try load.run(file: file, report: report) } else {
                    try load.run(descriptor: 0, name: "standard input", report: report)
                }
        } catch {
            try? opened.close()
            throw error
        }
        do throws(StoreError) { try opened.close() } catch { throw .store(error) }
        return outcome
    }

    /// The result of an import, in a sentence.
    static func summary(of outcome: RecordImport.Outcome) -> String {
        var text = "\(Counted.text(outcome.createdCount, "record")) imported"
        if outcome.presentCount > 0 { text += ", \(ProgressBar.grouped(outcome.presentCount)) there already" }
        if outcome.resumedLineCount > 0 {
            text += "; went on behind line \(ProgressBar.grouped(outcome.resumedLineCount)), where it was interrupted"
        }
        return text
    }
}

extension RecordImport.Moment {
    /// This moment.
    package static var now: Self {
        let now = Timestamp.now
        return Self(text: now.text, milliseconds: now.millisecondsSince1970)
    }
}
