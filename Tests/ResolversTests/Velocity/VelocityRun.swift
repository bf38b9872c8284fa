import JSON

@testable import Resolvers

/// What came of a template in a test: its text, a value it returned, or a fault.
struct VelocityRun {
    var text = ""
    var returned: JSONValue?
    var error: ResolverError?
    /// It was no template.
    var refusal: String?

    init(
        _ template: String, _ context: ResolverContext = ResolverContext(), limits: ResolverLimits = ResolverLimits()
    ) {
        let read: TemplateProgram
        do throws(TemplateFault) {
            read = try TemplateProgram(reading: template)
        } catch {
            refusal = error.message
            return
        }
        let run = TemplateRun(read, context, limits, .live)
        do throws(TemplateExit) {
            try run.render(read.nodes)
        } catch {
            switch error {
            case .leave, .stop: break
            case .returned: returned = (try? run.json(run.returned)) ?? .null
            case .failed(let failure): self.error = failure
            }
        }
        text = String(decoding: run.output, as: UTF8.self)
    }
}
