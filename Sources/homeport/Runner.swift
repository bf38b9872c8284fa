import Programs
import Server

/// Carries out what the arguments ask for.
struct Runner {
    let output: CommandOutput
    let environment: [String: String]

    /// How long `health` waits, unless `--timeout` says otherwise.
    private static let healthMilliseconds = 5_000

    func run(_ arguments: [String]) -> ExitCode {
        do throws(UsageError) {
            return run(try ArgumentParser.parse(arguments))
        } catch {
            let help = error.command.map { "homeport help \($0)" } ?? "homeport help"
            output.report("homeport: \(error.message)\nTry `\(help)`.")
            return .usage
        }
    }

    private func run(_ invocation: Invocation) -> ExitCode {
        let command = invocation.command
        if invocation.asksForHelp {
            output.print(HelpText.command(command))
            return .success
        }
        switch command.name {
        case "serve": return serve(invocation)
        case "exec": return execute(invocation)
        case "status":
            return configured(invocation) {
                StatusCommand.run($0.configuration, isJSON: invocation["json"] != nil, output)
            }
        case "new": return NewCommand.run(invocation.operand ?? "", in: invocation.secondOperand, output)
        case "check":
            return configured(invocation) { resolution in
                invocation["files"] == nil
                    ? SchemaCommand.check(resolution, environment: environment, output)
                    : FileCheckCommand.run(resolution.configuration, output)
            }
        case "evaluate":
            return EvaluateCommand.run(
                code: invocation["code"] ?? "", context: invocation["context"],
                function: invocation["function"] ?? EvaluateCommand.functions[0], output)
        case "schema":
            return printSchema(invocation)
        case "certificate":
            if invocation["trust"] != nil {
                return CertificateCommand.trust(environment, names: invocation.options["name"] ?? [], output)
            }
            return configured(invocation) { resolution in
                CertificateCommand.run(resolution.configuration, names: invocation.options["name"] ?? [], output)
            }
        case "export":
            return configured(invocation) { ExportCommand.run($0.configuration, to: invocation["out"], output) }
        case "import": return load(invocation)
        case "backup":
            return configured(invocation) {
                BackupCommand.run($0, to: invocation.operand ?? "", environment: environment, output)
            }
        case "restore":
            return configured(invocation) {
                RestoreCommand.run(
                    $0.configuration, from: invocation.operand ?? "", replaces: invocation["replace"] != nil, output)
            }
        case "move":
            let wish = MoveCommand.Wish(
                from: invocation["from"] ?? "", to: invocation["to"] ?? "",
                replacesZeros: invocation["replace-nul"] != nil)
            return MoveCommand.run(wish, environment: environment, output)
        case "move-in": return moveIn(invocation)
        case "move-out":
            var wish = MoveOutCommand.Wish(invocation.operand ?? "")
            if let format = invocation["format"] { wish.setFormat(format) }
            return configured(invocation) { [wish] resolution in
                withProject(resolution) { MoveOutCommand.run($0, wish, environment: environment, output) }
            }
        case "outputs": return writeOutputs(invocation)
        case "token": return token(invocation)
        case "users": return administer(invocation)
        case "files": return keep(invocation)
        case "mail":
            let choice = MailCommand.Choice(
                to: invocation["to"], follows: invocation["follow"] != nil, asJSON: invocation["json"] != nil)
            return configured(invocation) { MailCommand.run($0.configuration, choice, output) }
        case "health":
            return configured(invocation, wanted: HealthCommand.keys) { resolution in
                let seconds = invocation["timeout"].flatMap { Int($0) }
                return HealthCommand.run(
                    resolution.configuration, milliseconds: seconds.map { $0 * 1_000 } ?? Self.healthMilliseconds,
                    output)
            }
        case "version":
            output.print("\(Version.name) \(Version.number)")
            return .success
        case "help": return help(invocation)
        case "completion":
            output.print(CompletionScript.text(for: invocation.operand ?? ""))
            return .success
        default:
            output.report("homeport: \(command.name) stands in the table of commands, and nowhere else")
            return .internalError
        }
    }

    private func serve(_ invocation: Invocation) -> ExitCode {
        configured(invocation) { resolution in
            if invocation["print-config"] != nil {
                return withProject(resolution) { resolution in
                    output.print(ConfigurationListing.text(of: resolution.settings))
                    return .success
                }
            }
            return Server.run(
                resolution, environment: environment, isVerbose: invocation["verbose"] != nil, output)
        }
    }

    private func execute(_ invocation: Invocation) -> ExitCode {
        var filled = invocation
        for (name, value) in ExecCommand.defaults where filled[name] == nil { filled.options[name] = [value] }
        var environment = environment
        // Commands beside the server have its configuration.
        if let file = invocation["config"] { environment[ConfigurationKey.fileEnvironmentName] = file }
        return configured(filled) {
            ExecCommand.run(
                $0, invocation.program, seed: invocation["seed-command"], environment: environment, output)
        }
    }

    private func writeOutputs(_ invocation: Invocation) -> ExitCode {
        if invocation["restore"] != nil {
            return configured(invocation) { OutputsCommand.restore($0.configuration, output) }
        }
        var wish = OutputsCommand.Wish()
        wish.format = invocation["format"]
        wish.version = invocation["outputs-version"]
        wish.file = invocation["out"]
        return configured(invocation) { [wish] in OutputsCommand.run($0, wish, output) }
    }

    private func printSchema(_ invocation: Invocation) -> ExitCode {
        do throws(SchemaCommand.FormError) {
            let form = try SchemaCommand.Form(
                SchemaCommand.Form.Kind.allCases.filter { invocation[$0.rawValue] != nil },
                authDirectives: invocation["auth-directives"] != nil)
            return configured(invocation) { SchemaCommand.print($0, form, output) }
        } catch {
            output.report("homeport: \(error.message)")
            return .usage
        }
    }

    private func load(_ invocation: Invocation) -> ExitCode {
        let choice = ImportCommand.Choice(
            isLenient: invocation["lenient"] != nil, replaces: invocation["replace"] != nil)
        return configured(invocation) {
            ImportCommand.run($0, from: invocation["in"], choice, output)
        }
    }

    private func moveIn(_ given: Invocation) -> ExitCode {
        var invocation = given
        if let project = given["project"], given["schema"] == nil { invocation.options["schema"] = [project] }
        var wish = MoveInCommand.Wish()
        wish.tables = invocation.options["tables"] ?? []
        wish.since = invocation.options["since"] ?? []
        wish.users = invocation.options["users"] ?? []
        wish.pool = invocation.options["pool"] ?? []
        wish.identities = invocation.options["identities"] ?? []
        wish.files = invocation.options["files"] ?? []
        wish.isDry = invocation["dry-run"] != nil
        wish.keepsUnknown = invocation["keep-unknown"] != nil
        return configured(invocation) { [wish] resolution in
            withProject(resolution) { MoveInCommand.run($0, wish, environment: environment, output) }
        }
    }

    private func administer(_ invocation: Invocation) -> ExitCode {
        // What else it could be has been refused already.
        var wish = UsersCommand.Wish(
            invocation.operand.flatMap(UsersCommand.Action.init(rawValue:)) ?? .list)
        wish.name = invocation.secondOperand
        wish.email = invocation["email"]
        wish.phone = invocation["phone"]
        wish.attributes = invocation.options["attribute"] ?? []
        wish.password = invocation["password"]
        wish.isTemporary = invocation["temporary"] != nil
        wish.groups = invocation.options["group"] ?? []
        wish.formerGroups = invocation.options["leave"] ?? []
        wish.filter = invocation["filter"]
        wish.asJSON = invocation["json"] != nil
        return configured(invocation) { [wish] resolution in
            withProject(resolution) { UsersCommand.run($0, wish, output) }
        }
    }

    /// Goes on with what the project says, or says why it cannot be read.
    private func withProject(
        _ resolution: ConfigurationResolver.Resolution, _ body: (ConfigurationResolver.Resolution) -> ExitCode
    ) -> ExitCode {
        do throws(UnreadableSchema) {
            return body(try FoundProject.applied(to: resolution, output))
        } catch {
            output.report("homeport: \(error)")
            return error.code
        }
    }

    private func keep(_ invocation: Invocation) -> ExitCode {
        var wish = FilesCommand.Wish(
            invocation.operand.flatMap(FilesCommand.Action.init(rawValue:)) ?? .list)
        wish.key = invocation.secondOperand
        wish.bucket = invocation["bucket"]
        wish.file = invocation["file"]
        wish.type = invocation["type"]
        wish.asJSON = invocation["json"] != nil
        return configured(invocation) { [wish] in FilesCommand.run($0, wish, environment: environment, output) }
    }

    private func token(_ invocation: Invocation) -> ExitCode {
        let wish = TokenCommand.Wish(
            invocation["use"] ?? "id", username: invocation["username"] ?? "",
            groups: invocation.options["group"] ?? [],
            claims: invocation.options["claim"] ?? [], expires: invocation["expires"])
        // As the server does: the project may say what the pool and its clients are called.
        return configured(invocation) { resolution in
            withProject(resolution) { TokenCommand.run($0, wish, output) }
        }
    }

    private func help(_ invocation: Invocation) -> ExitCode {
        guard let name = invocation.operand else {
            output.print(HelpText.program())
            return .success
        }
        guard let command = CommandTable.command(named: name) else {
            output.report("homeport: \(ArgumentParser.unknown(name).message)")
            return .usage
        }
        output.print(HelpText.command(command))
        return .success
    }

    /// Runs a body with the configuration, or with some keys of it, or says what is wrong with them.
    private func configured(
        _ invocation: Invocation, wanted: Set<String>? = nil, _ body: (ConfigurationResolver.Resolution) -> ExitCode
    ) -> ExitCode {
        var options = invocation.options
        // Within `homeport exec`, the database of its server.
        if let database = environment[ExecCommand.databaseVariable], options["database"] == nil, options["data"] == nil,
            !["serve", "exec"].contains(invocation.command.name)
        {
            options["database"] = [database]
        }
        do throws(ConfigurationError) {
            return body(
                try ConfigurationResolver.resolve(
                    file: invocation["config"], options: options, environment: environment,
                    wanted: wanted, programs: Programs.reader))
        } catch {
            output.report(error.report)
            return .configuration
        }
    }
}
