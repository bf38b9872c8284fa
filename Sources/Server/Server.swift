// Server: configuration, routes, life cycle, logs, metrics: the only room that knows all the others.
//
//     Configuration/  one table of keys; file, environment, options and defaults become a `Configuration`
//     Commands/       what the commands of the program do; `homeport` only reads the arguments and calls them
//     Life/           from the start to the end: addresses, certificate, loops, signals
//     Schema/         finds and reads a project once (`FoundProject`), its schema and its settings
//     Exec/           a command that is run while the server serves it
//     TestControl/    what tests may do with a server: data and time as they were, faults, messages, requests, worlds
//     Watch/          reads the project again when it has changed, and has it served
//     Outputs/        the file that a client app loads
//     Starters/       small projects to begin with
//     Notices/        what a check and a start say of a project that would not answer as its author expects
//     Routes/         one table of what is served, and the answers
//     Moving/         the state of an app out of AWS, and back
//     Backup/         archives of everything that a server keeps: made, restored, made by schedule
//     Callers/        recognises callers on each loop, and says why they were denied
//     Functions/      the app's functions: what the project and the configuration say of them, those that run here, their keys
//     Files/          the store of files: what is configured of it, and where it lies
//     Items/          the tables of items: DynamoDB's services over HTTP
//     Language/       models of language: Bedrock's runtime over HTTP, and who asks them for the fields of a schema
//     SignIn/         the built-in user pool: what it is called, and its two services over HTTP
//     Gateway/        functions that are called over HTTP: paths of REST APIs, and URLs of their own
//     Outbox/         mails and notices of functions, as SES and SNS take them, and who sends them
//     Queues/         queues, as SQS, and the functions that are told of their messages and of events
//     Events/         rules by which events are passed on, as EventBridge
//     Channels/       channels beside the graph, as AppSync Events: who may do what there, handlers, and publishing over HTTP
//     Stacks/         the project as a stack, as CloudFormation tells it to Amplify's tools
//     Schedules/      what is called by the clock: functions and state machines
//     Workflows/      state machines, as Step Functions, whom their tasks ask, and the events that start them
//     Console/        what the page at / is told and may do
//     Resolvers/      what the code of an app's fields works on, and how it is evaluated by itself
//     Outside/        requests to functions, services and issuers
//     Log/            lines for people and machines, written by a thread of their own
//     Metrics/        what each event loop counts, and the text that Prometheus reads
//     Banner          what a person sees at the start
//     ProcessEnd      the one place where the process ends, with a code of `ExitCode`
//
// The way through: `ConfigurationResolver.resolve` gives a `Resolution`, or says all that is wrong;
// `Server.run` serves it until a signal ends it, and answers with the program's `ExitCode`.

import Network

/// A server from its start to its end.
package enum Server {
    /// Serves a configuration until the process is told to stop.
    package static func run(
        _ resolution: ConfigurationResolver.Resolution, environment: [String: String], isVerbose: Bool = false,
        _ output: CommandOutput
    ) -> ExitCode {
        run(resolution, environment: environment, isVerbose: isVerbose, output, guest: nil)
    }

    /// - Parameters:
    ///   - isVerbose: whether the start prints what all parts are called.
    ///   - guest: what is run meanwhile, and whose end is the server's.
    static func run(
        _ resolution: ConfigurationResolver.Resolution, environment: [String: String], isVerbose: Bool = false,
        _ output: CommandOutput, guest: GuestCommand?
    ) -> ExitCode {
        switch process(resolution, environment: environment, isVerbose: isVerbose, output, guest: guest) {
        case .success(let process): process.run()
        case .failure(let refusal): refusal.code
        }
    }

    /// A configuration that is no server's, which the output says.
    struct Refusal: Error {
        let code: ExitCode
    }

    /// A server that is going to run, or what is wrong with its configuration.
    static func process(
        _ resolution: ConfigurationResolver.Resolution, environment: [String: String], isVerbose: Bool,
        _ output: CommandOutput, guest: GuestCommand?
    ) -> Result<ServerProcess, Refusal> {
        let started = MonotonicTime.now
        let found = Result { () throws(UnreadableSchema) in
            try resolution.findProject()
        }
        // A project that cannot be read refuses the start, behind the schema's own report.
        let whole = (try? found.get()).map(resolution.taking) ?? resolution
        let problems = whole.functionProblems
        guard problems.isEmpty else {
            output.report(ConfigurationError(problems: problems).report)
            return .failure(Refusal(code: .configuration))
        }
        return .success(
            ServerProcess(
                resolution: whole, own: resolution, project: found.flatMap(\.value), environment: environment,
                output: output, guest: guest, started: started, isVerbose: isVerbose))
    }
}
