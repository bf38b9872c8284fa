import Blueprint
import GraphQL
import JSON
import Project
import Script

/// A function that a callback makes of the CDK's parts.
struct MadeConstruct {
    /// As the program has it: `new Function()`, `new lambda.PythonFunction()`.
    let kind: String
    let id: String?
    let options: ObjectArgument?
    /// The construct, as the program has it.
    let object: OpaqueObject
    let run: ProgramRun?

    private static let usualHandler = "index.handler"
    private static let usualFile = "index"
    private static let usualExport = "handler"

    func function(_ reference: FunctionReference, _ files: ProgramFiles) -> FunctionResource {
        var function = FunctionResource(reference, code(files))
        guard let options else { return function }
        for variable in (try? options.environment("environment")) ?? [] {
            function.set(variable.name, to: variable.value)
        }
        function.timeoutSeconds = options.seconds("timeout") ?? function.timeoutSeconds
        function.memoryMegabytes = options.whole("memorySize") ?? function.memoryMegabytes
        return function
    }

    /// A file whose `handler` is called, or what `handler: 'run'` names of it.
    private static func code(_ file: String, _ handler: String?) -> FunctionResource.Code {
        let export = handler?.split(separator: ".").last.map(String.init) ?? usualExport
        guard export != usualExport, let name = file.split(separator: "/").last else { return .file(file) }
        let module = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        return .folder(ProgramFiles.folder(of: file), handler: "\(module).\(export)", runtime: "")
    }

    private func code(_ files: ProgramFiles) -> FunctionResource.Code? {
        guard let options else { return nil }
        let runtime = options.unknown("runtime")?.origin.split(separator: ".").last.map(String.init) ?? ""
        let handler = (try? options.text("handler"))?.text
        // The CDK takes paths from where it runs.
        func path(_ written: String) -> String { ProgramFiles.join(files.project.workingDirectory, written) }
        if let entry = (try? options.text("entry"))?.text {
            guard kind.contains(bytesOf: "Python") else { return Self.code(path(entry), handler) }
            let file = (try? options.text("index"))?.text ?? Self.usualFile
            let module = file.hasSuffix(".py") ? String(file.dropLast(3)) : file
            return .folder(path(entry), handler: "\(module).\(handler ?? "handler")", runtime: runtime)
        }
        guard case .text(let folder)? = options.unknown("code")?.argument else { return nil }
        return .folder(path(folder), handler: handler ?? Self.usualHandler, runtime: runtime)
    }
}

extension ObjectArgument {
    /// A whole number; nil for all else.
    func whole(_ name: String) -> Int? { (try? number(name)).flatMap { $0 }.flatMap { Int(exactly: $0) } }

    /// `Duration.minutes(5)`; nil for all else.
    func seconds(_ name: String) -> Int? { value(name).flatMap(CDKDuration.seconds) }
}
