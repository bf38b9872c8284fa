import Glibc
import Network

/// `homeport new`: a small project to begin with.
package enum NewCommand {
    package static let projects = StarterProject.allCases.map(\.rawValue)

    private static let fileMode: mode_t = 0o644
    private static let folderMode: mode_t = 0o777

    /// Writes a project into a folder. Where one of its files is there already, none is written.
    package static func run(_ name: String, in folder: String?, _ output: CommandOutput) -> ExitCode {
        guard let project = StarterProject(rawValue: name) else {
            output.report(
                "homeport: there is no project \(name) to begin with: they are \(projects.joined(separator: ", "))")
            return .usage
        }
        let folder = folder ?? "."
        func path(_ file: String) -> String { folder == "." ? file : "\(folder)/\(file)" }
        for file in project.files where access(path(file.name), F_OK) == 0 {
            output.report("homeport: \(path(file.name)) is there already, and nothing is written. Name another folder")
            return .unwritableOutput
        }
        for file in project.files {
            do throws(SystemError) {
                try makeFolders(of: path(file.name))
                try SmallFile.create(path(file.name), with: Array(file.text.utf8), mode: fileMode)
            } catch {
                output.report("homeport: cannot write \(path(file.name)): \(error)")
                return .unwritableOutput
            }
            output.print(path(file.name))
        }
        output.report("Now: \(folder == "." ? "" : "cd \(folder) && ")homeport serve")
        return .success
    }

    private static func makeFolders(of path: String) throws(SystemError) {
        var folder = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += folder.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
            guard !part.isEmpty else { continue }
            guard mkdir(folder, folderMode) == 0 || errno == EEXIST else {
                throw SystemError(call: "mkdir", subject: folder)
            }
        }
    }
}
