import Blueprint
import Engine
import GraphQL
import JSON

/// `homeport check` and `homeport schema`: what is wrong with a schema, and what it stands for.
package enum SchemaCommand {
    /// Prints all that is to be said of the schema.
    package static func check(_ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput) -> ExitCode {
        read(resolution, output) { schema in
            do throws(SchemaErrors) {
                _ = try schema.design(EngineSettings())
            } catch {
                output.report(ProjectSchema.refusal(error).description)
                output.report(Counted.text(error.errors.count, "error"))
                return .failure
            }
            for notice in ProjectNotices.all(of: schema, resolution, now: Timestamp.now.seconds) {
                output.report(notice.description)
            }
            let models = schema.blueprint?.models.count ?? 0
            output.print("\(Counted.text(models, "model")) in \(Counted.text(schema.files.count, "file")): no errors")
            return .success
        }
    }

    /// Prints the schema of the API as SDL.
    package static func print(
        _ resolution: ConfigurationResolver.Resolution, withAuthDirectives: Bool, _ output: CommandOutput
    ) -> ExitCode {
        read(resolution, output) { schema in
            if let api = schema.api { output.print(api.printed(authDirectives: withAuthDirectives)) }
            return .success
        }
    }

    /// Prints the schema as Amplify's SDL, with its directives.
    package static func printAmplify(
        _ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) -> ExitCode {
        do throws(SchemaError) {
            let (text, diagnostics) = try ProjectSchema.amplify(resolution)
            for diagnostic in diagnostics { output.report(diagnostic.description) }
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
        do throws(SchemaError) {
            let schema = try ProjectSchema.read(resolution)
            for diagnostic in schema.diagnostics { output.report(diagnostic.description) }
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
