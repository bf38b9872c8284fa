import Blueprint
import Glibc
import JSON
import Project
import UserPool

/// `homeport outputs`: the file that a client app loads.
package enum OutputsCommand {
    /// The forms that there are.
    package static let formats = OutputsFormat.allCases.map(\.rawValue)
    package static let versions = OutputsVersion.allCases.map(\.rawValue)

    /// The wanted form; nil: the usual one.
    package struct Wish: Sendable {
        package var format: String?
        package var version: String?
        /// Nil: it is printed.
        package var file: String?

        package init() {}
    }

    /// Prints the file, or writes it.
    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ wish: Wish, _ output: CommandOutput
    ) -> ExitCode {
        do throws(ClientFile.Refusal) {
            let file = try clientFile(resolution, output)
            let format =
                wish.format.flatMap(OutputsFormat.init(rawValue:))
                ?? file.format(ofFile: wish.file ?? "amplify_outputs.json")
            let bytes = try file.bytes(
                format, wish.version.flatMap(OutputsVersion.init) ?? .current, for: wish.file)
            if let name = wish.file {
                try write(bytes, to: name)
            } else {
                output.print(String(decoding: bytes, as: UTF8.self))
            }
            return .success
        } catch {
            if !error.message.isEmpty { output.report("homeport: \(error.message)") }
            return error.code
        }
    }

    /// Puts back the files that a start found and kept.
    package static func restore(_ configuration: Configuration, _ output: CommandOutput) -> ExitCode {
        do throws(ClientFile.Refusal) {
            let count = try ClientFileKeeper(in: configuration.data, report: { output.report($0) }).restore()
            if count == 0 {
                output.report(
                    "homeport: no server that keeps its data in \(configuration.data) has written a file for clients")
            }
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
    }

    /// The file of the project of a configuration, behind what is to be said of it.
    static func clientFile(
        _ own: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) throws(ClientFile.Refusal) -> ClientFile {
        let address: ClientAddress
        do throws(ClientAddress.Unknown) {
            address = try ClientAddress(own.configuration)
        } catch {
            throw ClientFile.Refusal(code: .configuration, message: error.message)
        }
        let resources: Project
        let resolution: ConfigurationResolver.Resolution
        do throws(UnreadableSchema) {
            let project = try own.findProject()
            (resources, resolution) = (try project.value.get(), own.taking(project))
        } catch {
            throw ClientFile.Refusal(code: error.code, message: error.description)
        }
        ShownDiagnostics.report(resources.diagnostics, output)
        if resources.isRefused {
            output.report(Counted.text(resources.diagnostics.count(where: \.isError), "error"))
            throw ClientFile.Refusal(code: .failure, message: "")
        }
        var data: ClientData?
        if resources.hasAPI { data = try self.data(resolution, output) }
        let file = ClientFile(
            resolution, address: address, resources: resources, data: data,
            pool: try identifiers(resolution.configuration, output))
        ShownDiagnostics.report(try file.warnings(), output)
        return file
    }

    /// The names of the pools; nil where the API's user pool is somewhere else.
    private static func identifiers(
        _ configuration: Configuration, _ output: CommandOutput
    ) throws(ClientFile.Refusal) -> PoolIdentifiers? {
        do throws(StartError) {
            let pool = try BuiltInPool.identifiers(of: configuration)
            if pool == nil {
                output.report(
                    "homeport: the API takes tokens of another user pool, auth.userPools.issuer: the file says nothing of "
                        + "sign-in")
            }
            return pool
        } catch {
            throw ClientFile.Refusal(code: error.code, message: error.message)
        }
    }

    private static func data(
        _ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) throws(ClientFile.Refusal) -> ClientData {
        let schema: ProjectSchema
        do throws(UnreadableSchema) { schema = try ProjectSchema.read(resolution) } catch {
            throw ClientFile.Refusal(code: error.code, message: error.description)
        }
        ShownDiagnostics.report(schema.diagnostics.filter(\.isError), output)
        guard let blueprint = schema.blueprint,
            let data = ClientData(schema.reading, blueprint, resolution.configuration)
        else {
            output.report(Counted.text(schema.diagnostics.count(where: \.isError), "error"))
            throw ClientFile.Refusal(code: .failure, message: "")
        }
        return data
    }

    // MARK: The file

    /// Under another name first: what has the file's name is complete, however the process ends.
    private static func write(_ bytes: [UInt8], to file: String) throws(ClientFile.Refusal) {
        func unwritable(_ name: String) -> ClientFile.Refusal {
            ClientFile.Refusal(
                code: .unwritableOutput, message: "cannot write \(name): \(String(cString: strerror(errno)))")
        }
        let temporary = "\(file).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw unwritable(temporary) }
        var isWritten = true
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isWritten = false
                break
            }
            place += count
        }
        let refusal = isWritten && rename(temporary, file) == 0 ? nil : unwritable(file)
        close(descriptor)
        guard let refusal else { return }
        unlink(temporary)
        throw refusal
    }
}
