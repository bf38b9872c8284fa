/// The variables of a function's process.
///
///     function's own  <  credentials  <  runtime  <  platform
///
/// Of the server's own variables a process gets what programs need to run, and nothing that could be a secret.
enum FunctionEnvironment {
    /// The variables that are passed on where the server has them.
    static let passedOn = ["PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "SYSTEMROOT"]
    private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    static func variables(
        of function: FunctionSettings, _ surroundings: FunctionSurroundings, runtimeAddress: String, logStream: String
    ) -> [String: String] {
        var variables = ["PATH": usualPath, "TZ": "UTC", "LANG": "en_US.UTF-8"]
        for name in passedOn { if let value = surroundings.environment[name] { variables[name] = value } }
        if let endpoint = surroundings.endpoint { variables["AWS_ENDPOINT_URL"] = endpoint }
        variables["HOMEPORT_FUNCTIONS_FOLDER"] = surroundings.folder
        // All values are there: what deployed functions would look up is not asked for.
        variables["AMPLIFY_SSM_ENV_CONFIG"] = "{}"
        if let file = settingsFile(of: function, surroundings) { variables["AWS_CONFIG_FILE"] = file }
        variables.merge(function.environment) { $1 }
        let credentials = surroundings.credentials(function.name)
        variables["AWS_ACCESS_KEY_ID"] = credentials.accessKeyID
        variables["AWS_SECRET_ACCESS_KEY"] = credentials.secret
        variables["AWS_SESSION_TOKEN"] = credentials.sessionToken
        variables["_HANDLER"] = function.handler
        variables["LAMBDA_TASK_ROOT"] = function.folder
        variables["LAMBDA_RUNTIME_DIR"] = surroundings.folder
        variables["AWS_REGION"] = surroundings.region
        variables["AWS_DEFAULT_REGION"] = surroundings.region
        variables["AWS_LAMBDA_RUNTIME_API"] = runtimeAddress
        variables["AWS_LAMBDA_FUNCTION_NAME"] = function.name
        variables["AWS_LAMBDA_FUNCTION_VERSION"] = version
        variables["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"] = "\(function.memoryMegabytes)"
        variables["AWS_LAMBDA_LOG_GROUP_NAME"] = "/aws/lambda/\(function.name)"
        variables["AWS_LAMBDA_LOG_STREAM_NAME"] = logStream
        variables["AWS_LAMBDA_INITIALIZATION_TYPE"] = "on-demand"
        // Runtimes behave otherwise where these are set, in ways that need more than there is here.
        variables["AWS_LAMBDA_MAX_CONCURRENCY"] = nil
        variables["_LAMBDA_TELEMETRY_LOG_FD"] = nil
        return variables
    }

    /// The settings file of the SDK, for the signatures of links. A function that names a profile means a file of its own.
    private static func settingsFile(of function: FunctionSettings, _ surroundings: FunctionSurroundings) -> String? {
        let profiles = ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"]
        guard case .handler(let place) = function.program,
            let settings = Bootstrap.of(place.language).settings,
            !profiles.contains(where: { function.environment[$0] != nil })
        else { return nil }
        return "\(surroundings.folder)/\(settings.fileName)"
    }

    static let version = "$LATEST"
}
