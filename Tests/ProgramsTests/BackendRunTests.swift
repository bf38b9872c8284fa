import JSON
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// A Gen 2 project of a function, files, sign-in and an API, whose `amplify/backend.ts` goes on with some lines.
struct BackendProject {
    var lines: String
    var resources = "auth, data, storage, fn"
    var auth = "export const auth = defineAuth({ loginWith: { email: true }, groups: ['A', 'B'] });"
    var storage = "export const storage = defineStorage({ name: 'files' });"
    var function = "export const fn = defineFunction({ name: 'fn' });"
    var others: [String: String] = [:]

    init(_ lines: String = "") { self.lines = lines }

    func read() -> Project {
        var files = others
        let imports =
            "import { a, defineAuth, defineData, defineFunction, defineStorage } from '@aws-amplify/backend';\n"
        files["amplify/package.json"] = files["amplify/package.json"] ?? #"{"type":"module"}"#
        files["amplify/auth/resource.ts"] = imports + "import { fn } from '../fn/resource';\n" + auth
        files["amplify/storage/resource.ts"] = imports + "import { fn } from '../fn/resource';\n" + storage
        files["amplify/fn/resource.ts"] = imports + function
        files["amplify/data/resource.ts"] =
            imports + "export const data = defineData({ schema: a.schema({ Todo: a.model({ x: a.string() }) }) });"
        files["amplify/backend.ts"] = """
            import { defineBackend } from '@aws-amplify/backend';
            import { auth } from './auth/resource';
            import { data } from './data/resource';
            import { storage } from './storage/resource';
            import { fn } from './fn/resource';
            import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
            import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
            import { Queue } from 'aws-cdk-lib/aws-sqs';
            import { Duration } from 'aws-cdk-lib';
            const backend = defineBackend({ \(resources) });
            const stack = backend.createStack('own');
            const lambda = backend.fn?.resources.lambda;
            const bucket = backend.storage?.resources.bucket;
            const pool = backend.auth?.resources.userPool;
            \(lines)
            """
        return Project.read("amplify", in: ProgramSurroundings(files))
    }
}

extension Project {
    /// What a function finds in a variable.
    func variable(_ name: String) -> FunctionVariable.Value? {
        functions.first?.environment.first { $0.name == name }?.value
    }

    var messages: [String] { diagnostics.map(\.description) }
}

/// How far `amplify/backend.ts` runs, and what it leaves behind.
@Suite("The run of backend.ts")
struct BackendRunTests {
    // MARK: Nothing stops it

    @Test(
        "parts of the CDK that nothing here stands for do not end the program",
        arguments: [
            "const m = lambda.addEventSourceMapping('m', { eventSourceArn: 'x' }); m.node.addDependency(bucket);",
            "lambda.addEnvironment('A', 'b').addEnvironment('C', 'd');",
            "new Queue(stack, 'q').node.defaultChild.addDependency(bucket);",
            "import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks'; new tasks.MediaConvertCreateJob(stack, 'x', {});",
            "import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks'; const { EcsRunTask } = tasks; new EcsRunTask(stack, 'x');",
            "const seconds = stack.limits.toSeconds() * 6 / 2 - 1 % 3; lambda.addEnvironment('S', `${seconds}`);",
            "const names = { [bucket.bucketName]: 1 }; names[pool.userPoolId];",
            "if ('environment' in lambda.node.scope) { lambda.x(); }",
            "if (typeof lambda.node.scope.environment === 'object') { lambda.x(); }",
            "for (const part of lambda.node.children) { part.x(); }",
            "const part = -lambda.x + +stack.y; pool.node.tryFindChild('smsRole')?.node.x(); pool.node.findChild('y').z();",
        ])
    func goesOn(lines: String) {
        let reading = BackendProject(lines + "\nbackend.fn.addEnvironment('LAST', 'there');").read()
        #expect(reading.variable("LAST") == .text("there"), "\(reading.messages)")
        #expect(!reading.isRefused)
    }

    @Test("what a program finds in its own folder of CommonJS and of Node is there")
    func findsFiles() {
        var project = BackendProject(
            """
            import fs from 'fs';
            import path from 'path';
            backend.fn.addEnvironment('FOLDER', __dirname);
            backend.fn.addEnvironment('FILE', path.basename(__filename));
            const folder = path.join(__dirname, 'tables');
            for (const name of fs.readdirSync(folder)) backend.fn.addEnvironment(path.parse(name).name, fs.readFileSync(path.join(folder, name), 'utf8'));
            backend.fn.addEnvironment('IS_FOLDER', String(fs.statSync(folder).isDirectory() && fs.existsSync(folder)));
            backend.fn.addEnvironment('SIZE', String(fs.statSync(path.join(folder, 'A.txt')).size));
            backend.fn.addEnvironment('SETTING', require('./settings.json').limit);
            try { fs.readdirSync(path.join(__dirname, 'nowhere')); } catch (error) { backend.fn.addEnvironment('ERROR', error.code); }
            """)
        project.others = [
            "amplify/package.json": #"{"name":"backend"}"#, "amplify/tables/A.txt": "one",
            "amplify/tables/B.txt": "two", "amplify/settings.json": #"{"limit":"5"}"#,
        ]
        let reading = project.read()
        let found = reading.functions.first?.environment.map { "\($0.name) \($0.value)" } ?? []
        #expect(
            found == [
                #"FOLDER text("/app/amplify")"#, #"FILE text("backend.ts")"#, #"A text("one")"#, #"B text("two")"#,
                #"IS_FOLDER text("true")"#, #"SIZE text("3")"#, #"SETTING text("5")"#, #"ERROR text("ENOENT")"#,
            ], "\(reading.messages)")
    }

    @Test("a module of its own has its own `__dirname`, and one that is no CommonJS has none")
    func ownNames() {
        let own = "const __dirname = '/mine'; backend.fn.addEnvironment('A', __dirname);"
        var project = BackendProject(own)
        project.others = ["amplify/package.json": "{}"]
        #expect(project.read().variable("A") == .text("/mine"))
        let reading = BackendProject("backend.fn.addEnvironment('A', __dirname);").read()
        #expect(reading.messages.contains { $0.contains("ReferenceError: __dirname is not defined") })
    }

    @Test("a program that stops says which of its lines did not run")
    func namesLostLines() throws {
        let reading = BackendProject(
            """
            backend.fn.addEnvironment('FIRST', 'x');
            (undefined as any).x();
            backend.fn.addEnvironment('SECOND', 'x');
            function never() {}
            const rule = new Rule(stack, 'R', {});
            """
        ).read()
        let said = try #require(reading.messages.first { $0.contains("cannot be run to its end") })
        #expect(said.contains("amplify/backend.ts:17 `backend.fn.addEnvironment('SECOND', 'x');`"), "\(said)")
        #expect(said.contains("amplify/backend.ts:19 `const rule = new Rule(stack, 'R', {});`"), "\(said)")
        #expect(!said.contains("FIRST") && !said.contains("never"), "\(said)")
    }

    @Test("the backend has its resources and Amplify's methods, and nothing else")
    func isClosed() {
        let reading = BackendProject("(backend as any).missing.addEnvironment('A', 'b');").read()
        #expect(reading.messages.contains { $0.contains("Cannot read properties of undefined") })
        let known = BackendProject(
            "backend.stack.x(); backend.createStack('y').x(); backend.addOutput({ custom: { a: Object.keys(backend).length } });"
        ).read()
        #expect(known.messages == [])
        #expect(known.added.value["custom"]?["a"]?.integer == 7)
    }

    // MARK: What is read when

    @Test(
        "options hold as they are when defineBackend is called",
        arguments: [
            ("", "read"),
            ("open = false;", "read"),
        ])
    func readsRulesLate(line: String, action: String) {
        var project = BackendProject()
        project.storage = """
            const actions: any = ['read'];
            const options: any = { name: 'files', access: (allow) => {
              const admins = allow.groups(['A']);
              return { 'a/*': [admins.to(actions)], 'b/*': [admins.to(['read', 'write', 'delete'])] };
            } };
            export const storage = defineStorage(options);
            \(line.isEmpty ? "" : "let open = true; options.access = (allow) => ({ 'a/*': [open ? allow.guest.to(['write']) : allow.groups(['A']).to(['read'])] }); open = false;")
            """
        let storage = project.read().storages.first
        let rule = storage?.access?.first?.rules.first
        #expect(rule?.who == .groups(["A"]) && rule?.actions.map(\.rawValue) == [action])
    }

    @Test("a rule of files or of sign-in does not change another that is made of the same beginning")
    func derivesRules() {
        var project = BackendProject()
        project.storage = """
            export const storage = defineStorage({ name: 'files', access: (allow) => {
              const all = [allow.authenticated, allow.guest, allow.entity('identity'), allow.resource(fn), allow.groups(['A'])];
              return { 'a/*': all.map((who) => who.to(['read'])), 'b/*': all.map((who) => who.to(['write'])) };
            } });
            """
        project.auth = """
            export const auth = defineAuth({ loginWith: { email: true }, groups: ['A'], access: (allow) => {
              const own = allow.resource(fn);
              return [own.to(['addUserToGroup']), own.to(['listUsers'])];
            } });
            """
        let reading = project.read()
        #expect(reading.messages == [])
        let actions = reading.storages.first?.access?.map { Set($0.rules.flatMap(\.actions).map(\.rawValue)) }
        #expect(actions == [["read"], ["write"]])
        #expect(reading.auth?.access.map(\.actions) == [["addUserToGroup"], ["listUsers"]])
    }

    @Test("what a program changes of options before defineBackend holds, and later does not")
    func readsOptionsLate() {
        var project = BackendProject()
        project.auth = """
            export const groups = ['A', 'B'];
            const options: any = { loginWith: { email: true }, groups };
            export const auth = defineAuth(options);
            options.multifactor = { mode: 'REQUIRED', totp: true };
            groups.pop();
            """
        project.function = """
            const options: any = { name: 'fn', environment: { A: '1' } };
            export const fn = defineFunction(options);
            options.environment.B = '2';
            options.timeoutSeconds = 60;
            """
        project.lines = "import { groups } from './auth/resource'; groups.push('C');"
        let reading = project.read()
        #expect(reading.auth?.groups == ["A"] && reading.auth?.multifactor.mode == .required)
        #expect(reading.functions.first?.environment.map(\.name) == ["A", "B"])
        #expect(reading.functions.first?.timeoutSeconds == 60)
    }

    @Test(
        "a literal with a resource spread into it is that resource",
        arguments: ["auth: { ...auth }", "auth: { ...auth, tags: ['x'] }", "auth: { note: 1, ...auth }"])
    func spreads(resource: String) {
        var project = BackendProject("backend.auth.resources.cfnResources.cfnUserPool.mfaConfiguration = 'ON';")
        project.resources = "\(resource), data, storage: { ...storage }, fn: { ...fn }"
        project.storage = """
            export const storage = defineStorage({ name: 'files', access: (allow) => ({ 'a/*': [allow.groups(['A']).to(['read'])] }) });
            """
        let reading = project.read()
        #expect(reading.messages == [])
        #expect(reading.auth?.groups == ["A", "B"] && reading.auth?.pool.mfaMode == .required)
        #expect(reading.storages.count == 1 && reading.functions.first?.key == "fn")
    }

    // MARK: Texts

    @Test(
        "a text with deployed values in it is put together, however the program does it",
        arguments: [
            ("JSON.stringify({ bucket: bucket.bucketName, n: 1 })", #"{"bucket":"|B|","n":1}"#),
            ("[bucket.bucketName, 'x', pool.userPoolId].join(',')", "|B|,x,|P|"),
            ("'s3://'.concat(bucket.bucketName, '/x')", "s3://|B|/x"),
            ("['a', bucket.bucketName].map((x) => x).join('')", "a|B|"),
            ("[...new Set([bucket.bucketName, 'x'])].join('-')", "|B|-x"),
            ("String(bucket.bucketName)", "|B|"), ("`a${[bucket.bucketName]}b`", "a|B|b"),
            ("bucket.bucketName + pool.userPoolId", "|B||P|"),
            ("'arn:aws:s3:::NAME/*'.replace('NAME', bucket.bucketName)", "arn:aws:s3:::|B|/*"),
            ("['a', 'b'].reduce((all, x) => all + x, bucket.bucketName)", "|B|ab"),
        ])
    func joinsTexts(expression: String, text: String) {
        let reading = BackendProject("backend.fn.addEnvironment('T', \(expression));").read()
        #expect(reading.variable("T").map(Self.text) == text, "\(reading.messages)")
        #expect(reading.messages == [])
    }

    private static func text(_ value: FunctionVariable.Value) -> String {
        switch value {
        case .text(let text): text
        case .joined(let parts): parts.map(text).joined()
        case .deployed("backend.storage.resources.bucket.bucketName"): "|B|"
        case .deployed("backend.auth.resources.userPool.userPoolId"): "|P|"
        default: "|?|"
        }
    }

    @Test(
        "what cannot be put together is never one of its parts",
        arguments: [
            "encodeURIComponent(bucket.bucketName)", "'x'.padEnd(9, bucket.bucketName)",
            "bucket.bucketName.slice(1)", "bucket.bucketName.toUpperCase()", "parseInt(bucket.bucketName)",
            "JSON.stringify({ a: encodeURIComponent(bucket.bucketName) })",
        ])
    func leavesOthersOut(expression: String) {
        let reading = BackendProject("backend.fn.addEnvironment('T', \(expression));").read()
        #expect(
            reading.variable("T").map(Self.text)?.contains("|?|") == true,
            "\(String(describing: reading.variable("T")))")
    }

    @Test("outputs have dates and what objects say of themselves")
    func writesOutputs() {
        let reading = BackendProject(
            """
            class Plan { constructor(public name: string) {} toJSON() { return this.name; } }
            backend.addOutput({ custom: { at: new Date(0), plan: new Plan('gold'), list: [new Plan('x')] } });
            """
        ).read()
        #expect(reading.added.value["custom"] == ["at": "1970-01-01T00:00:00.000Z", "plan": "gold", "list": ["x"]])
    }
}

/// What a program changes of the resources under constructs.
@Suite("Resources under constructs")
struct ResourcePartTests {
    // MARK: Functions

    @Test(
        "variables are those of the resource in the end",
        arguments: [
            ("cfn.addPropertyOverride('Environment.Variables.X', 'v');", ["A": "1", "X": "v"]),
            ("cfn.addOverride('Properties.Environment.Variables.X', 'v');", ["A": "1", "X": "v"]),
            ("cfn.addPropertyOverride('Environment', { Variables: { X: 'v', A: '2' } });", ["A": "2", "X": "v"]),
            ("cfn.addOverride('Properties', { Environment: { Variables: { X: 'v' } } });", ["A": "1", "X": "v"]),
            ("cfn.addPropertyDeletionOverride('Environment.Variables.A');", [:]),
            ("cfn.addDeletionOverride('Properties.Environment.Variables');", [:]),
            ("cfn.environment = { variables: { Y: 'y' } };", ["Y": "y"]),
            ("cfn.environment = { ...cfn.environment, variables: { Y: 'y' } };", ["Y": "y"]),
            (
                "cfn.environment = { variables: { Y: 'y' } }; backend.fn.addEnvironment('Z', 'z'); cfn.addPropertyOverride('Environment.Variables.Y', 'v');",
                ["Y": "v"]
            ),
            (
                "lambda.node.findChild('Resource').addPropertyOverride('Environment.Variables.X', 'v');",
                ["A": "1", "X": "v"]
            ),
            (
                "backend.fn.resources.cfnResources.cfnFunction.addPropertyOverride('Environment.Variables.X', 'v');",
                ["A": "1", "X": "v"]
            ),
        ])
    func variables(line: String, variables: [String: String]) {
        var project = BackendProject("const cfn = lambda.node.defaultChild;\n\(line)")
        project.function = "export const fn = defineFunction({ name: 'fn', environment: { A: '1' } });"
        let reading = project.read()
        let found = (reading.functions.first?.environment ?? []).map { variable in
            if case .text(let text) = variable.value { (variable.name, text) } else { (variable.name, "?") }
        }
        #expect(Dictionary(found) { $1 } == variables)
        #expect(reading.messages == [])
    }

    @Test("time, memory and version are those of the resource")
    func settings() {
        let reading = BackendProject(
            """
            const cfn = lambda.node.defaultChild;
            cfn.timeout = 60; cfn.memorySize = 1024;
            cfn.addPropertyOverride('Timeout', 61);
            cfn.addPropertyOverride('Runtime', 'nodejs22.x');
            """
        ).read()
        let function = reading.functions.first
        #expect(function?.timeoutSeconds == 61 && function?.memoryMegabytes == 1024 && function?.runtime == 22)
        #expect(reading.messages == [])
    }

    @Test(
        "what nothing reads is a warning at its line",
        arguments: [
            (
                "lambda.node.defaultChild.timeout = stack.region;",
                "`backend.fn.resources.cfnResources.cfnFunction.timeout` cannot be read"
            ),
            ("lambda.node.defaultChild.tiemout = 5;", "`cfnFunction` has no property `tiemout`; is timeout meant?"),
            ("lambda.node.defaultChild.addPropertyOverride('Layers', []);", "`cfnFunction.layers` does not hold here"),
            ("bucket.own.lifecycle = 1;", "`backend.storage.resources.bucket.own.lifecycle` does not hold here"),
            (
                "import { Aspects } from 'aws-cdk-lib'; Aspects.of(stack).add({ visit(node) { node.tags = 1; } });",
                "`Aspects.of().add()` does not hold here"
            ),
        ])
    func warns(line: String, message: String) throws {
        let reading = BackendProject(line).read()
        let said = try #require(reading.diagnostics.first { $0.message.contains(message) }, "\(reading.messages)")
        #expect(said.severity == .warning && said.location?.line == 15, "\(said)")
    }

    @Test(
        "an aspect that would change what says who may do what refuses the project",
        arguments: [
            "Aspects.of(stack).add({ visit(node) { if (node instanceof CfnUserPool) node.mfaConfiguration = 'ON'; } });",
            "class Closed { visit(node) { if (node instanceof CfnIdentityPool) node.x = 1; } } Aspects.of(stack).add(new Closed());",
        ])
    func refusesAspects(line: String) {
        let imports =
            "import { Aspects } from 'aws-cdk-lib'; import { CfnUserPool, CfnIdentityPool } from 'aws-cdk-lib/aws-cognito';"
        let reading = BackendProject("\(imports)\n\(line)").read()
        #expect(reading.isRefused && reading.messages.contains { $0.contains("no aspect is shown the constructs") })
    }

    // MARK: The clock, rules and queues

    private static let rule = "schedule: Schedule.rate(Duration.days(1)), targets: [new LambdaFunction(lambda)]"

    @Test(
        "what is off calls nobody",
        arguments: [
            ("", 1), ("enabled: true,", 1), ("enabled: false,", 0), ("enabled: stack.isX,", 0),
        ])
    func isOff(option: String, count: Int) {
        let reading = BackendProject("new Rule(stack, 'R', { \(option) \(Self.rule) });").read()
        #expect(reading.functions.first?.schedules.count == count)
    }

    @Test(
        "a rule or schedule that is switched off by its resource calls nobody",
        arguments: [
            "const r = new Rule(stack, 'R', { \(rule) }); r.node.defaultChild.state = 'DISABLED';",
            "const r = new Rule(stack, 'R', { \(rule) }); r.node.defaultChild.addPropertyOverride('State', 'DISABLED');",
            "const r = new Rule(stack, 'R', { enabled: false, schedule: Schedule.rate(Duration.days(1)) }); r.addTarget(new LambdaFunction(lambda));",
            """
            import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
            const s = new CfnSchedule(stack, 's', { scheduleExpression: 'rate(1 day)', target: { arn: lambda.functionArn } });
            s.state = 'DISABLED';
            """,
            """
            import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
            new CfnSchedule(stack, 's', { scheduleExpression: 'rate(1 day)', state: 'DISABLED', target: { arn: lambda.functionArn } });
            """,
            """
            import { Schedule as S, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
            import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
            const s = new S(stack, 's', { schedule: ScheduleExpression.rate(Duration.days(1)), target: new LambdaInvoke(lambda, {}) });
            s.node.defaultChild.addPropertyOverride('State', 'DISABLED');
            """,
        ])
    func isSwitchedOff(lines: String) {
        let reading = BackendProject(lines).read()
        #expect(reading.functions.first?.schedules.isEmpty == true)
        #expect(reading.messages == [])
    }

    @Test(
        "durations are sums, and texts",
        arguments: [
            ("Duration.minutes(10).plus(Duration.seconds(30 * 60))", "rate(40 minutes)"),
            ("Duration.minutes(90).plus(Duration.minutes(30))", "rate(2 hours)"),
            ("Duration.parse('PT1H')", "rate(1 hour)"),
        ])
    func durations(duration: String, text: String) {
        let line =
            "new Rule(stack, 'R', { schedule: Schedule.rate(\(duration)), targets: [new LambdaFunction(lambda)] });"
        #expect(BackendProject(line).read().functions.first?.schedules.map(\.text) == [text])
    }

    @Test("a pattern that is added later is part of the rule's, and one that cannot be read switches it off")
    func addsPatterns() {
        let targets = "targets: [new LambdaFunction(lambda)]"
        let reading = BackendProject(
            """
            const one = new Rule(stack, 'one', { eventPattern: { source: ['a'] }, \(targets) });
            one.addEventPattern({ source: ['b'], detailType: ['made'], detail: { size: [1] } });
            const two = new Rule(stack, 'two', { \(targets) });
            two.addEventPattern({ source: ['c'] });
            const three = new Rule(stack, 'three', { eventPattern: { source: ['d'] }, \(targets) });
            three.addEventPattern(stack.pattern);
            """
        ).read()
        #expect(
            reading.rules.map { JSONValue.object($0.pattern) } == [
                ["source": ["a", "b"], "detail-type": ["made"], "detail": ["size": [1]]], ["source": ["c"]],
                ["source": ["d"]],
            ])
        #expect(reading.rules.map(\.isEnabled) == [true, true, false])
        #expect(reading.messages.count == 1 && reading.messages[0].contains("the rule tells nobody here"))
    }

    @Test("times of queues are those of the resource")
    func queues() {
        let reading = BackendProject(
            """
            const q = new Queue(stack, 'q', { visibilityTimeout: Duration.seconds(30) });
            q.node.defaultChild.visibilityTimeout = 99;
            q.node.defaultChild.addPropertyOverride('DelaySeconds', 5);
            """
        ).read()
        #expect(reading.queues.first?.visibilitySeconds == 99 && reading.queues.first?.delaySeconds == 5)
        #expect(reading.messages == [])
    }

    @Test(
        "a function's address is open where the program says so, as a constant or as a text",
        arguments: [("FunctionUrlAuthType.NONE", true), ("'NONE'", true), ("'AWS_IAM'", false), ("stack.x", false)])
    func addresses(type: String, isOpen: Bool) {
        let imports = "import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';"
        let reading = BackendProject("\(imports) lambda.addFunctionUrl({ authType: \(type) });").read()
        #expect(reading.functions.first?.hasOpenURL == isOpen)
    }

    // MARK: Sign-in

    @Test(
        "attributes are those that the program leaves in the schema",
        arguments: [
            (
                "cfnUserPool.schema.push({ name: 'tenantId', attributeDataType: 'String', mutable: false });",
                "custom:plan true, custom:tenantId false"
            ),
            (
                "cfnUserPool.schema = [{ name: 'email', required: true, mutable: false }, { name: 'team', attributeDataType: 'Number', mutable: true }];",
                "email false, custom:team true"
            ),
            ("cfnUserPool.addPropertyOverride('Schema.0.Mutable', false);", "email false, custom:plan true"),
            ("cfnUserPool.addPropertyOverride('Schema.1.Mutable', false);", "custom:plan false"),
            ("cfnUserPool.addPropertyOverride('Schema', [{ Name: 'email', Required: true, Mutable: true }]);", ""),
            (
                "for (const [i, name] of ['Mutable'].entries()) cfnUserPool.addPropertyOverride(`Schema.${i}.${name}`, false);",
                "email false, custom:plan true"
            ),
            (
                "pool.node.findChild('Resource').schema.push({ name: 'x', attributeDataType: 'String' });",
                "custom:plan true, custom:x false"
            ),
        ])
    func attributes(line: String, expected: String) {
        var project = BackendProject("const { cfnUserPool } = backend.auth.resources.cfnResources;\n\(line)")
        project.auth = """
            export const auth = defineAuth({ loginWith: { email: true }, userAttributes: { 'custom:plan': { dataType: 'String', mutable: true } } });
            """
        let reading = project.read()
        let found = (reading.auth?.attributes ?? []).map { "\($0.name) \($0.isMutable)" }.joined(separator: ", ")
        #expect(found == expected, "\(reading.messages)")
        #expect(reading.auth?.pool.requiredAttributes == ["email"])
    }

    @Test("constants of the CDK are the texts that they are")
    func constants() {
        var project = BackendProject()
        project.auth = """
            import { ProviderAttribute } from 'aws-cdk-lib/aws-cognito';
            import * as cognito from 'aws-cdk-lib/aws-cognito';
            import { secret } from '@aws-amplify/backend';
            export const auth = defineAuth({ loginWith: { email: true, externalProviders: {
              callbackUrls: ['http://localhost/'], logoutUrls: ['http://localhost/'],
              google: { clientId: secret('I'), clientSecret: secret('S'), attributeMapping: {
                email: ProviderAttribute.GOOGLE_EMAIL.attributeName, givenName: cognito.ProviderAttribute.GOOGLE_GIVEN_NAME.attributeName,
                nickname: ProviderAttribute.other('nick').attributeName } } } } });
            """
        let reading = project.read()
        let mapping = reading.auth?.login.providers?.social.first?.mapping ?? []
        #expect(
            Dictionary(uniqueKeysWithValues: mapping.map { ($0.attribute, $0.claim) }) == [
                "email": "email", "givenName": "given_name", "nickname": "nick",
            ])
        #expect(reading.messages == [])
    }

    @Test("a mapping of a provider that cannot be read costs the mapping alone")
    func unreadMapping() throws {
        var project = BackendProject()
        project.auth = """
            import { names } from 'elsewhere';
            import { secret } from '@aws-amplify/backend';
            export const auth = defineAuth({ loginWith: { email: true, externalProviders: {
              callbackUrls: ['http://localhost/'], logoutUrls: ['http://localhost/'],
              google: { clientId: secret('I'), clientSecret: secret('S'), attributeMapping: { email: names.email, nickname: 'nick' } } } } });
            """
        let reading = project.read()
        #expect(reading.auth?.login.providers?.social.first?.mapping.map(\.attribute) == ["nickname"])
        let said = try #require(reading.diagnostics.first)
        #expect(!said.isError && said.message.contains("names.email of \"elsewhere\""), "\(said)")
    }

    // MARK: Tables of a deployment

    private static let deployed = "Todo-abcdefghijklmnopqrstuvwx12-NONE"

    @Test(
        "a table that has the name of a deployment is that of its model, and another is told of",
        arguments: [
            (deployed, "model(\"Todo\")", false), ("Other-abcdefghijklmnopqrstuvwx12-NONE", "table", true),
            ("Todo-abc-NONE", "table", true), ("own", "table", false),
        ])
    func tables(name: String, kind: String, isTold: Bool) {
        let reading = BackendProject(
            """
            import { Table } from 'aws-cdk-lib/aws-dynamodb';
            new Table(stack, 'own', { tableName: 'own', partitionKey: { name: 'id', type: 'S' } });
            backend.data.addDynamoDbDataSource('source', Table.fromTableName(stack, 'x', '\(name)'));
            """
        ).read()
        #expect(reading.dataSources.first.map { "\($0.kind)" }?.hasPrefix(kind) == true, "\(reading.dataSources)")
        #expect(reading.messages.contains { $0.contains("the project makes no table \(name)") } == isTold)
    }

    @Test("a variable with the name of a model's deployed table has that of the table here")
    func tableVariables() {
        let reading = BackendProject("backend.fn.addEnvironment('T', '\(Self.deployed)');").read()
        #expect(reading.variable("T") == .deployed("backend.data.resources.tables.Todo.tableName"))
    }

    @Test("members of a program's own classes are its own affair")
    func ownClasses() {
        let reading = BackendProject(
            """
            import { Construct } from 'constructs';
            class Jobs extends Construct {
              rule: Rule;
              constructor(scope: Construct, private name: string) {
                super(scope, name);
                this.rule = new Rule(this, 'R', { \(Self.rule) });
              }
            }
            new Jobs(stack, 'jobs').rule.node.defaultChild.state = 'DISABLED';
            """
        ).read()
        #expect(reading.functions.first?.schedules.isEmpty == true)
        #expect(reading.messages == [])
    }

    @Test("methods of a program's own classes run, with what they make and whom they give rights")
    func ownMethods() {
        let reading = BackendProject(
            """
            import { Construct } from 'constructs';
            class Jobs extends Construct {
              private queue?: Queue;
              constructor(scope: Construct, name: string) {
                super(scope, name);
                this.make(name);
              }
              make(name: string) { this.queue = new Queue(this, name); }
              get jobs() { return this.queue!; }
              giveTo(fn: any) { this.jobs.grantSendMessages(fn); }
            }
            class Alarms extends Queue {
              grantSendMessages(fn: any) { return super.grantSendMessages(fn); }
            }
            new Jobs(stack, 'Mine').giveTo(lambda);
            new Alarms(stack, 'Alarms').grantSendMessages(lambda);
            """
        ).read()
        #expect(reading.queues.map(\.name) == ["Mine", "Alarms"])
        let given = reading.functions.first?.grants.statements.flatMap(\.resources)
        #expect(given == [.deployed("queues/Mine.queueArn"), .deployed("queues/Alarms.queueArn")])
        #expect(reading.messages == [])
    }
}
