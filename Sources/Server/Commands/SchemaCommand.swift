import Blueprint
import Engine
import GraphQL
import JSON
import Project

/// `homeport check` and `homeport schema`: what is wrong with a schema, and what it stands for.
package enum SchemaCommand {
    /// Prints all that a start would say of the project.
    ///
    /// - Parameter environment: the variables that secrets of functions may be in.
    package static func check(
        _ own: ConfigurationResolver.Resolution, environment: [String: String], _ output: CommandOutput
    ) -> ExitCode {
        let known = own.warnings.count
        let resources: Project
        let resolution: ConfigurationResolver.Resolution
        do throws(UnreadableSchema) {
            let project = try own.findProject()
            (resources, resolution) = (try project.value.get(), own.taking(project))
        } catch {
            output.report("homeport: \(error)")
            return error.code
        }
        let problems = resolution.functionProblems
        guard problems.isEmpty else {
            output.report(ConfigurationError(problems: problems).report)
            return .configuration
        }
        if !resources.isRefused, resolution.configuration.auth.userPools.issuer == nil,
            let fault = BuiltInPool.fault(of: resolution.configuration)
        {
            output.report("homeport: \(fault)")
            return .configuration
        }
        return read(resolution, output) { schema in
            do throws(SchemaErrors) {
                _ = try schema.design(EngineSettings())
            } catch {
                output.report(ProjectSchema.refusal(error).description)
                output.report(Counted.text(error.errors.count, "error"))
                return .failure
            }
            guard schema.reading.missingFiles.isEmpty else {
                ShownDiagnostics.report(schema.reading.missingFiles, output)
                output.report(Counted.text(schema.reading.missingFiles.count, "error"))
                return .failure
            }
            for warning in resolution.warnings.dropFirst(known) {
                output.report(Diagnostic(severity: .warning, message: warning).description)
            }
            for notice in ProjectNotices.all(of: schema, resolution, now: Timestamp.now.seconds) {
                output.report(notice.description)
            }
            let notices = DefinitionNotices.ofCheck(resolution.configuration, resources, environment: environment)
            ShownDiagnostics.report(notices, output)
            if let blueprint = schema.blueprint, blueprint.hasAPI {
                let listing = ResolverNotices(schema, blueprint, resolution.configuration).listing
                ShownDiagnostics.report(listing, output)
            }
            ShownDiagnostics.report(resources.diagnostics, output)
            let errors = resources.diagnostics.count(where: \.isError)
            guard errors == 0 else {
                output.report(Counted.text(errors, "error"))
                return .failure
            }
            guard schema.reading.hasAPI else {
                output.print("\(ProjectReading.noAPI(schema.reading.place)). No errors")
                return .success
            }
            let models = schema.blueprint?.models.count ?? 0
            output.print(
                "\(Counted.text(models, "model")) in \(Counted.text(schema.reading.files.count, "file")): no errors")
            return .success
        }
    }

    /// The forms in which a schema is printed.
    package struct Form: Sendable {
        package enum Kind: String, Sendable, CaseIterable {
            /// Amplify's SDL with its directives.
            case amplify
            /// The API with the definitions of all that it uses.
            case standalone
            /// The introspection of the API.
            case json
        }

        /// Nil for the API as Amplify's tools expect it.
        let kind: Kind?
        let hasAuthDirectives: Bool

        /// Reads the options; throws the fault in them.
        package init(_ kinds: [Kind], authDirectives: Bool) throws(FormError) {
            guard kinds.count <= 1 else {
                let names = kinds.map { "--\($0.rawValue)" }.joined(separator: " and ")
                throw FormError(message: "\(names) are different forms of a schema: choose one")
            }
            switch kinds.first {
            case .amplify? where authDirectives:
                throw FormError(
                    message:
                        "--amplify prints the schema before AppSync's authorization directives are made: leave out "
                        + "--auth-directives, or --amplify")
            case .json? where authDirectives:
                throw FormError(
                    message: "an introspection has no directives: leave out --auth-directives, or take --standalone "
                        + "instead of --json")
            default: break
            }
            kind = kinds.first
            hasAuthDirectives = authDirectives
        }
    }

    /// Options that do not go together.
    package struct FormError: Error {
        package let message: String
    }

    /// Prints the schema in some form.
    package static func print(
        _ resolution: ConfigurationResolver.Resolution, _ form: Form, _ output: CommandOutput
    ) -> ExitCode {
        if form.kind == .amplify { return printAmplify(resolution, output) }
        return read(resolution, output) { schema in
            guard let api = schema.api else { return .failure }
            guard schema.reading.hasAPI else {
                output.report("homeport: \(ProjectReading.noAPI(schema.reading.place))")
                return .unreadableInput
            }
            switch form.kind {
            case .json?: return printIntrospection(of: schema, output)
            case .standalone?: output.print(api.printedStandalone(authDirectives: form.hasAuthDirectives))
            default: output.print(api.printed(authDirectives: form.hasAuthDirectives))
            }
            return .success
        }
    }

    private static func printIntrospection(of schema: ProjectSchema, _ output: CommandOutput) -> ExitCode {
        let design: EngineDesign?
        do throws(SchemaErrors) {
            design = try schema.design(EngineSettings())
        } catch {
            output.report(ProjectSchema.refusal(error).description)
            return .failure
        }
        do throws(GraphQLError) {
            var bytes: [UInt8] = []
            guard let introspection = try design?.introspection() else { return .failure }
            JSONWriter.writePretty(introspection, to: &bytes)
            output.print(String(decoding: bytes, as: UTF8.self))
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return .failure
        }
    }

    /// Prints the schema as Amplify's SDL, with its directives.
    private static func printAmplify(
        _ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) -> ExitCode {
        do throws(UnreadableSchema) {
            let (text, diagnostics) = try ProjectReading.amplify(resolution)
            ShownDiagnostics.report(diagnostics, output)
            guard let text else { return .failure }
            output.print(text)
            return .success
        } catch {
            output.report("homeport: \(error)")
            return error.code
        }
    }

    private static func read(
        _ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput, _ body: (ProjectSchema) -> ExitCode
    ) -> ExitCode {
        do throws(UnreadableSchema) {
            let schema = try ProjectSchema.read(resolution)
            ShownDiagnostics.report(schema.diagnostics, output)
            guard schema.api != nil else {
                output.report(Counted.text(schema.diagnostics.count(where: \.isError), "error"))
                return .failure
            }
            return body(schema)
        } catch {
            output.report("homeport: \(error)")
            return error.code
        }
    }
}
