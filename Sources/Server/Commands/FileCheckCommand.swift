import Files
import Glibc
import Store

/// `homeport check --files`: whether every file of the store still has the bytes that were put.
package enum FileCheckCommand {
    package static func run(_ configuration: Configuration, _ output: CommandOutput) -> ExitCode {
        guard configuration.database != .memory else {
            output.report("homeport: files in memory are known to their server alone; name a database with --database")
            return .configuration
        }
        if let missing = FilesCommand.missingFolder(of: configuration) {
            output.report("homeport: \(missing)")
            return .configuration
        }
        let bar = ProgressBar("files")
        var errors = 0
        do throws(StoreError) {
            let check = try FileCheck(
                configuration.database.servedReader(), folder: BuiltInFiles.folder(of: configuration))
            do throws(FileError) {
                let checked = try check.run { progress in
                    bar.show(
                        count: progress.files, part: Double(progress.bytes) / Double(max(1, progress.bytesMax)))
                } found: { finding in
                    bar.clear()
                    errors += 1
                    output.report("error: \(text(of: finding))")
                }
                bar.clear()
                let files =
                    "\(Counted.text(checked.files, "file")), \(Counted.text(Int(clamping: checked.bytes), "byte"))"
                output.print("\(files): \(errors == 0 ? "no errors" : Counted.text(errors, "error"))")
                return errors == 0 ? .success : .failure
            } catch {
                bar.clear()
                output.report("homeport: the files could not be checked: \(error.reason ?? error.message)")
                return .systemRefused
            }
        } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
    }

    private static func text(of finding: FileCheck.Finding) -> String {
        switch finding {
        case .changed(let owner, let file):
            "\(text(of: owner)): its bytes are not those that were put; they lie in \(file). Put it again"
        case .missing(let owner, let file):
            "\(text(of: owner)): its file \(file) is not there. Put it again, or remove it"
        case .unreadable(let owner, let file, let reason):
            "\(text(of: owner)): its file \(file) cannot be read: \(reason)"
        case .orphan(let file): "\(file): no object has this file. It takes space and can go"
        }
    }

    private static func text(of owner: FileCheck.Owner) -> String {
        let object = "\(owner.bucket) \(owner.key)"
        return owner.part.map { "\(object), part \($0) of an upload" } ?? object
    }
}
