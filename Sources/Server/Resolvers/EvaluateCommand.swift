import JSON
import Network
import Resolvers

/// `homeport evaluate`: evaluates a handler with a context, and prints what comes of it.
package enum EvaluateCommand {
    package static let functions = ["request", "response"]

    private static let bytesMax = 1 << 20
    private static let templateEnding = ".vtl"
    private static let typeScriptEndings = [".ts", ".mts"]

    /// - Parameters:
    ///   - code: a file with a module in JavaScript, or a template where it ends in `.vtl`.
    ///   - context: a file with the context as JSON; nil: an empty one.
    ///   - function: which of the module's functions.
    package static func run(code: String, context: String?, function: String, _ output: CommandOutput) -> ExitCode {
        guard let text = read(code, "the code", output) else { return .unreadableInput }
        var given = JSONValue.object(JSONObject())
        if let context {
            guard let bytes = read(context, "the context", output) else { return .unreadableInput }
            do throws(JSONError) {
                given = try JSONReader.value(of: Array(bytes.utf8))
            } catch {
                output.report("homeport: the context \(context) is not JSON: \(error)")
                return .unreadableInput
            }
        }
        let subject: Evaluation.Subject =
            code.hasSuffix(templateEnding)
            ? .template(text)
            : .code(
                text, function == functions[0] ? .request : .response,
                isTypeScript: typeScriptEndings.contains(where: code.hasSuffix))
        let evaluation = Evaluation(subject, given)
        var bytes: [UInt8] = []
        JSONWriter.writePretty(.object(evaluation.answer), to: &bytes)
        output.print(String(decoding: bytes, as: UTF8.self))
        return evaluation.hasFailed ? .failure : .success
    }

    private static func read(_ file: String, _ what: String, _ output: CommandOutput) -> String? {
        do throws(SystemError) {
            return String(decoding: try SmallFile.read(file, bytesMax: bytesMax), as: UTF8.self)
        } catch {
            output.report("homeport: \(what) \(file) cannot be read: \(error)")
            return nil
        }
    }
}
