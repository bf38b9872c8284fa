import JSON
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What `defineAuth` and `amplify/backend.ts` say of sign-in.
@Suite("Sign-in of a Gen 2 project")
struct SignInReadingTests {
    private static func read(_ files: [String: String]) -> Project {
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    /// A resource file with that argument, and nothing else.
    private static func read(_ argument: String) -> Project {
        read([
            "amplify/auth/resource.ts": """
            import { defineAuth, defineFunction, secret } from '@aws-amplify/backend';
            const fn = defineFunction({ name: 'fn' });
            export const auth = defineAuth(\(argument));
            """
        ])
    }

    private static let backend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { data } from 'elsewhere'; const backend = defineBackend({ data, auth });

        """
    private static let auth = """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true }, groups: ['staff', 'members'] });
        """

    @Test("all that defineAuth knows is read")
    func readsEverything() throws {
        let reading = Self.read(
            """
            {
              name: 'garden',
              loginWith: {
                email: {
                  verificationEmailStyle: 'CODE', verificationEmailSubject: 'Welcome',
                  verificationEmailBody: (createCode) => `Use ${createCode()} now`,
                  userInvitation: { emailSubject: 'Come', emailBody: (user, code) => `${user()}: ${code()}` },
                  otpLogin: true,
                },
                phone: { verificationMessage: (createCode) => `Code ${createCode()}` },
                webAuthn: { relyingPartyId: 'garden.example.com', userVerification: 'required' },
                externalProviders: {
                  google: { clientId: secret('G_ID'), clientSecret: secret('G_SECRET'), scopes: ['email'],
                            attributeMapping: { email: 'email', custom: { plan: 'tier' } } },
                  signInWithApple: { clientId: secret('A'), teamId: secret('B'), keyId: secret('C'), privateKey: secret('D') },
                  oidc: [{ name: 'House', clientId: secret('H'), clientSecret: secret('S'), issuerUrl: 'https://id.example.com',
                           attributeRequestMethod: 'POST' }],
                  saml: { metadata: { metadataContent: 'https://idp.example.com', metadataType: 'URL' } },
                  scopes: ['EMAIL'], callbackUrls: ['http://localhost/in'], logoutUrls: ['http://localhost/out'],
                },
              },
              userAttributes: {
                givenName: { required: true, mutable: false }, email: { required: true },
                'custom:plan': { dataType: 'String', maxLen: 20 }, 'custom:age': { dataType: 'Number', min: 0, max: 1.5 },
                'custom:ok': { dataType: 'Boolean', mutable: false }, 'custom:at': { dataType: 'DateTime' },
              },
              groups: ['ADMINS', 'readers'],
              multifactor: { mode: 'OPTIONAL', email: true, sms: { smsMessage: (code) => `MFA ${code()}` }, totp: true },
              accountRecovery: 'PHONE_AND_EMAIL',
              passwordlessOptions: { preferredChallenge: 'EMAIL_OTP' },
              triggers: { postConfirmation: fn, preSignUp: fn },
              access: (allow) => [allow.resource(fn).to(['addUserToGroup', 'manageUsers'])],
              senders: { email: { fromEmail: 'a@example.com', fromName: 'Garden' }, sms: { handler: fn } },
            }
            """)
        #expect(reading.diagnostics.map(\.description) == [])
        let auth = try #require(reading.auth)
        #expect(auth.name == "garden")
        #expect(auth.login.email?.body == "Use {####} now")
        #expect(auth.login.email?.invitation?.body == "{username}: {####}")
        #expect(auth.login.email?.isFirstFactor == true)
        #expect(auth.login.phone?.message == "Code {####}")
        #expect(auth.login.passkeys?.relyingParty == "garden.example.com")
        let providers = try #require(auth.login.providers)
        #expect(providers.social.map(\.kind) == [.google, .apple])
        #expect(providers.social.first?.secrets == ["clientId": .named("G_ID"), "clientSecret": .named("G_SECRET")])
        #expect(providers.social.first?.mapping.map(\.attribute) == ["email", "custom:plan"])
        #expect(providers.openIDConnect.first?.asksByPost == true)
        #expect(providers.saml?.isMetadataURL == true)
        #expect(
            auth.attributes == [
                .init("given_name", isRequired: true, isMutable: false), .init("email", isRequired: true),
                .init("custom:plan", .text(minLength: nil, maxLength: 20)),
                .init("custom:age", .number(min: 0, max: 1.5)), .init("custom:ok", .boolean, isMutable: false),
                .init("custom:at", .dateTime),
            ])
        #expect(auth.multifactor.factors == [.message, .generator, .email])
        #expect(auth.multifactor.message == "MFA {####}")
        #expect(auth.recovery == .phoneAndEmail)
        #expect(auth.triggers.map(\.event) == [.postConfirmation, .preSignUp])
        #expect(auth.triggers.first?.function.name == "fn")
        #expect(auth.access.first?.actions == ["addUserToGroup", "manageUsers"])
        #expect(auth.emailSender == .address(from: "a@example.com", name: "Garden", replyTo: nil))
        #expect(auth.pool.requiredAttributes == ["email", "phone_number", "given_name"])
        #expect(auth.pool.scopes == ["email", "openid"])
        #expect(auth.pool.firstFactors == [.password, .emailCode, .passkey])
    }

    @Test("a link in a message has the text that it is given, or Cognito's own")
    func links() {
        func body(_ call: String) -> String? {
            Self.read(
                "{ loginWith: { email: { verificationEmailStyle: 'LINK', verificationEmailBody: (link) => `Go ${\(call)}` } } }"
            ).auth?.login.email?.body
        }
        #expect(body("link()") == "Go {##Verify Email##}")
        #expect(body("link('here')") == "Go {##here##}")
    }

    /// What defineAuth is given, the mark where the diagnostic is to point, and a part of its message.
    static let refused: [(argument: String, message: String)] = [
        (
            "{ loginWith: { ¦emial: true } }",
            "`loginWith` has no `emial`: it knows email, phone, webAuthn, externalProviders"
        ),
        (
            "{ loginWith: { email: true }, ¦group: ['A'] }",
            "`defineAuth` has no `group`"
        ),
        (
            "{ loginWith: { email: ¦'yes' } }",
            "`loginWith` takes true or an object as `email`, found the text \"yes\""
        ),
        (
            "{ loginWith: { email: { otpLogin: ¦1 } } }",
            "takes true or false as `otpLogin`, found 1"
        ),
        (
            "¦{ groups: ['A'] }",
            "`defineAuth` needs `loginWith`"
        ),
        (
            "{ loginWith: ¦{} }",
            "At least one authentication method must be enabled."
        ),
        (
            "{ loginWith: { email: true }, groups: ['A', ¦1] }",
            "`groups` is a list of texts, found 1"
        ),
        (
            "{ loginWith: { email: true }, groups: ['A', ¦'A'] }",
            "the group \"A\" is named twice"
        ),
        (
            "{ loginWith: { email: true }, groups: ¦'A' }",
            "takes a list of texts as `groups`, found the text \"A\""
        ),
        (
            "{ loginWith: { email: true }, multifactor: { mode: ¦'ON' } }",
            "`mode` is one of OFF, OPTIONAL, REQUIRED, not \"ON\""
        ),
        (
            "{ loginWith: { email: true }, multifactor: ¦{ mode: 'REQUIRED' } }",
            "needs at least one of `sms`, `totp` and `email`"
        ),
        (
            "{ loginWith: { phone: true }, multifactor: { mode: ¦'OPTIONAL', totp: true } }",
            "Invalid MFA settings. SMS must be enabled in multiFactor if loginWith phone is enabled"
        ),
        (
            "{ loginWith: { email: true }, userAttributes: { ¦givenNames: { required: true } } }",
            "there is no attribute `givenNames`"
        ),
        (
            "{ loginWith: { email: true }, userAttributes: { 'custom:x': ¦{ mutable: true } } }",
            "`custom:x` needs `dataType`"
        ),
        (
            "{ loginWith: { email: true }, userAttributes: { 'custom:x': { dataType: ¦'Int' } } }",
            "`dataType` is one of String, Number, Boolean, DateTime, not \"Int\""
        ),
        (
            "{ loginWith: { email: true }, triggers: { ¦postConfirm: fn } }",
            "`triggers` has no `postConfirm`"
        ),
        (
            "{ loginWith: { email: true }, triggers: { preSignUp: ¦'fn' } }",
            "takes a function of defineFunction as `preSignUp`"
        ),
        (
            "{ loginWith: { email: true }, access: (allow) => [allow.resource(fn).to([¦'all'])] }",
            "there is no action \"all\""
        ),
        (
            "{ loginWith: { email: true }, access: (allow) => [allow.¦resource(fn)] }",
            "At least one action must be specified."
        ),
        (
            "{ loginWith: { email: true }, accountRecovery: ¦'EMAIL' }",
            "`accountRecovery` is one of "
        ),
        (
            "{ loginWith: { email: true, webAuthn: { relyingPartyId: ¦'https://x' } } }",
            "Invalid relying party ID: \"https://x\". Must be a valid domain"
        ),
        (
            "{ loginWith: ¦{ externalProviders: { callbackUrls: ['a'], logoutUrls: ['b'] } } }",
            "At least one of email or phone must be enabled."
        ),
        (
            "{ loginWith: { email: true, externalProviders: { callbackUrls: ¦[], logoutUrls: ['b'] } } }",
            "You must define callbackUrls when configuring external login providers."
        ),
        (
            "{ loginWith: { email: true, externalProviders: { google: { clientId: ¦'x', clientSecret: secret('S') }, callbackUrls: ['a'], logoutUrls: ['b'] } } }",
            "takes secret('NAME') as `clientId`"
        ),
        (
            "{ loginWith: { email: { verificationEmailBody: ¦() => 'hello' } } }",
            "Invalid email settings. Property 'verificationEmailBody' must utilize the 'code' parameter"
        ),
        (
            "{ loginWith: { email: { verificationEmailBody: () => ¦missing } } }",
            "ReferenceError: missing is not defined"
        ),
        (
            "{ loginWith: { email: true }, passwordlessOptions: { preferredChallenge: ¦'SMS_OTP' } }",
            "Preferred challenge \"SMS_OTP\" is not enabled"
        ),
        (
            "{ loginWith: { email: { otpLogin: true } }, multifactor: ¦{ mode: 'REQUIRED', totp: true } }",
            "Passwordless authentication (Email OTP, SMS OTP, WebAuthn) cannot be used when MFA is set to REQUIRED."
        ),
        (
            "{ loginWith: { email: true }, senders: { sms: ¦{ snsCallerArn: 'arn' } } }",
            "Both externalId and snsCallerArn are required"
        ),
        (
            "{ loginWith: { email: true }, name: ¦5 }",
            "takes a text as `name`, found 5"
        ),
        (
            "¦5",
            "`defineAuth` takes an object, found 5"
        ),
    ]

    @Test("what defineAuth does not know is refused at its place", arguments: refused)
    func refuses(argument: String, message: String) throws {
        let mark = try #require(argument.firstRange(of: "¦"))
        let start = "export const auth = defineAuth(".unicodeScalars.count
        let column = argument.unicodeScalars.distance(from: argument.startIndex, to: mark.lowerBound) + start + 1
        let reading = Self.read(argument.replacing("¦", with: ""))
        #expect(reading.auth == nil && reading.isRefused)
        let error = try #require(reading.diagnostics.first)
        #expect(error.message.contains(message), "\(error)")
        #expect(error.file == "amplify/auth/resource.ts")
        #expect(error.location?.line == 3 && error.location?.column == column, "\(error)")
    }

    @Test("providers without addresses have that of the CDK, and are warned of")
    func noAddresses() throws {
        let reading = Self.read("{ loginWith: { email: true, externalProviders: {} } }")
        #expect(!reading.isRefused && reading.diagnostics.map(\.severity) == [.warning, .warning])
        #expect(reading.diagnostics.first?.message.hasPrefix("`externalProviders` has no `callbackUrls`") == true)
        let pool = try #require(reading.auth).pool
        #expect(pool.callbackURLs == ["https://example.com"] && pool.logoutURLs.isEmpty)
    }

    @Test("all that is wrong is said at once")
    func saysEverything() {
        let reading = Self.read("{ loginWith: { emial: true, phone: 1 }, groups: [1], nam: 'x' }")
        #expect(reading.diagnostics.count == 4)
    }

    @Test("what backend.ts assigns to the resources counts")
    func overrides() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                const { cfnUserPool, cfnUserPoolClient, cfnIdentityPool } = backend.auth.resources.cfnResources;
                cfnUserPool.policies = { passwordPolicy: { minimumLength: 12, requireNumbers: true } };
                cfnUserPool.usernameAttributes = [];
                cfnUserPool.addPropertyOverride('MfaConfiguration', 'ON');
                cfnIdentityPool.allowUnauthenticatedIdentities = false;
                cfnIdentityPool.developerProviderName = 'login.garden.app';
                cfnUserPoolClient.callbackUrLs = ['http://localhost/in'];
                cfnUserPoolClient.logoutUrLs = ['http://localhost/out'];
                cfnUserPoolClient.allowedOAuthScopes.push('garden/read');
                backend.auth.resources.groups['staff'].cfnUserGroup.precedence = 5;
                for (const bucket of ['a', 'b']) backend.auth.stack.tags.setTag(bucket, 'x');
                """,
        ])
        #expect(reading.diagnostics.isEmpty)
        let pool = try #require(reading.auth).pool
        #expect(pool.passwordPolicy.lengthMin == 12 && pool.passwordPolicy.needsNumbers)
        #expect(!pool.passwordPolicy.needsSymbols && !pool.passwordPolicy.needsLowercase)
        #expect(pool.usernameAttributes == [] && pool.verifiedAttributes == ["email"])
        #expect(pool.mfaMode == .required && !pool.allowsGuests && pool.developerProvider == "login.garden.app")
        #expect(pool.callbackURLs == ["http://localhost/in"] && pool.scopes.last == "garden/read")
        #expect(pool.groups == [.init(name: "staff", precedence: 5), .init(name: "members", precedence: 1)])
    }

    @Test("overrides by the names of the template count as assignments do, and times of tokens with their units")
    func overridesByTemplate() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                const { cfnUserPool, cfnUserPoolClient, cfnIdentityPool } = backend.auth.resources.cfnResources;
                cfnUserPool.addPropertyOverride('Policies.PasswordPolicy.MinimumLength', 14);
                cfnUserPool.addPropertyOverride('AdminCreateUserConfig', { AllowAdminCreateUserOnly: true });
                cfnUserPool.usernameConfiguration = { caseSensitive: true };
                cfnUserPool.aliasAttributes = ['preferred_username'];
                cfnUserPool.emailConfiguration = { sourceArn: backend.auth.resources.identity.arn };
                cfnUserPoolClient.addPropertyOverride('CallbackURLs', ['app://in/']);
                cfnUserPoolClient.addOverride('Properties.LogoutURLs', ['app://out/']);
                cfnUserPoolClient.accessTokenValidity = 20;
                cfnUserPoolClient.refreshTokenValidity = 2;
                cfnUserPoolClient.tokenValidityUnits = { accessToken: 'minutes' };
                cfnIdentityPool.addPropertyOverride('AllowUnauthenticatedIdentities', false);
                cfnUserPool.addPropertyOverride(backend.auth.name, 1);
                cfnUserPool.addPropertyOverride('', 1);
                """,
        ])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let pool = try #require(reading.auth).pool
        #expect(pool.passwordPolicy.lengthMin == 14 && pool.passwordPolicy.needsSymbols)
        #expect(!pool.allowsSelfSignUp && pool.isCaseSensitive && !pool.allowsGuests)
        #expect(pool.aliases == ["preferred_username"])
        #expect(pool.callbackURLs == ["app://in/"] && pool.logoutURLs == ["app://out/"])
        #expect(pool.tokens.accessSeconds == 1_200 && pool.tokens.refreshSeconds == 172_800)
        #expect(pool.tokens.idSeconds == nil)
    }

    @Test("functions are gathered with what backend.ts adds, wherever they are defined")
    func functions() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/functions/mailer/resource.ts": """
            import { defineFunction, secret } from '@aws-amplify/backend';
            export const mailer = defineFunction({
              name: 'mailer', entry: './send.ts', timeoutSeconds: 30, memoryMB: 256, runtime: 20, resourceGroupName: 'auth',
              environment: { FROM: 'shop@example.com', KEY: secret('MAIL_KEY'), RETRIES: process.env.NOT_SET },
              schedule: ['every 5m', '0 9 ? * 2 *', { cron: '0 7 ? * * *', timezone: 'Europe/Berlin' }],
            });
            export const plain = defineFunction();
            export const odd = defineFunction({ name: 'odd', timeoutSeconds: Math.min(30, 900), schedule: 'every day' });
            """,
            "amplify/backend.ts": """
            import { defineBackend, secret } from '@aws-amplify/backend';
            import { auth } from './auth/resource';
            import { mailer as sender, plain, odd } from './functions/mailer/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, sender, plain });
            const { tables } = backend.data.resources;
            backend.sender.addEnvironment('FROM', 'other@example.com');
            backend.sender.addEnvironment('POOL', backend.auth.resources.userPool.userPoolId);
            backend.sender.resources.lambda.addEnvironment('ALL', `arn/${tables['Todo'].tableName}/*`);
            backend.plain.addEnvironment('TOKEN', secret('TOKEN'));
            backend.sender.resources.lambda.addToRolePolicy(undefined);
            """,
        ])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(reading.functions.map(\.key) == ["sender", "plain", nil])
        #expect(reading.functions.map(\.reference.givenName) == ["mailer", "mailer", "odd"])
        let mailer = try #require(reading.functions.first)
        #expect(Self.path(of: mailer.code)?.hasSuffix("amplify/functions/mailer/send.ts") == true)
        #expect(mailer.timeoutSeconds == 30 && mailer.memoryMegabytes == 256 && mailer.runtime == 20)
        #expect(mailer.group == "auth")
        #expect(
            mailer.schedules == [
                FunctionSchedule("every 5m"), FunctionSchedule("0 9 ? * 2 *"),
                FunctionSchedule("0 7 ? * * *", zone: "Europe/Berlin"),
            ])
        #expect(
            mailer.environment == [
                .init(name: "FROM", value: .text("other@example.com")), .init(name: "KEY", value: .secret("MAIL_KEY")),
                .init(name: "RETRIES", value: .missing),
                .init(name: "POOL", value: .deployed("backend.auth.resources.userPool.userPoolId")),
                .init(
                    name: "ALL",
                    value: .joined([
                        .text("arn/"), .deployed("backend.data.resources.tables.Todo.tableName"), .text("/*"),
                    ])),
            ])
        let plain = try #require(reading.functions.dropFirst().first)
        #expect(Self.path(of: plain.code)?.hasSuffix("amplify/functions/mailer/handler.ts") == true)
        #expect(plain.environment == [.init(name: "TOKEN", value: .secret("TOKEN"))])
        #expect(plain.timeoutSeconds == 3 && plain.memoryMegabytes == 512)
        #expect(reading.functions.last?.schedules == [FunctionSchedule("every day")])
        #expect(reading.functions.last?.timeoutSeconds == 30)
    }

    private static func path(of code: FunctionResource.Code?) -> String? {
        if case .file(let path)? = code { path } else { nil }
    }

    @Test("functions in other languages are made by a callback, of the CDK's parts")
    func constructs() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/say/resource.ts": """
            import * as path from 'node:path';
            import { fileURLToPath } from 'node:url';
            import { defineFunction } from '@aws-amplify/backend';
            import { DockerImage, Duration } from 'aws-cdk-lib';
            import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
            const functionDir = path.dirname(fileURLToPath(import.meta.url));
            export const say = defineFunction((scope) => new Function(scope, 'say-hello', {
              handler: 'main.answer', runtime: Runtime.PYTHON_3_12, timeout: Duration.seconds(20), memorySize: 1024,
              environment: { NAME: 'x' },
              code: Code.fromAsset(functionDir, { bundling: { image: DockerImage.fromRegistry('dummy') } }),
            }), { resourceGroupName: 'data' });
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { auth } from './auth/resource';
            import { say } from './say/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, say });
            """,
        ])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let say = try #require(reading.functions.first)
        #expect(say.reference.givenName == "say-hello" && say.key == "say")
        guard case .folder(let folder, "main.answer", "PYTHON_3_12")? = say.code else {
            Issue.record("\(say)")
            return
        }
        #expect(folder.hasSuffix("amplify/say"))
        #expect(say.timeoutSeconds == 20 && say.memoryMegabytes == 1024)
        #expect(say.environment == [.init(name: "NAME", value: .text("x"))])
    }

    @Test("functions that backend.ts makes of the CDK's parts are read with what is said of them")
    func ownConstructs() throws {
        let reading = Self.read([
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import * as cdk from 'aws-cdk-lib';
            import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
            import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
            import { Runtime } from 'aws-cdk-lib/aws-lambda';
            import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
            import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
            import { Queue } from 'aws-cdk-lib/aws-sqs';
            import { PythonFunction } from '@aws-cdk/aws-lambda-python-alpha';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('own');
            const queue = new Queue(stack, 'Jobs');
            const worker = new NodejsFunction(stack, 'Worker', {
              entry: 'amplify/worker/index.ts', handler: 'run', runtime: Runtime.NODEJS_20_X, timeout: cdk.Duration.minutes(1),
              environment: { URL: queue.queueUrl } });
            worker.addEventSource(new SqsEventSource(queue));
            worker.addEnvironment('SELF', worker.functionName);
            worker.addToRolePolicy(new cdk.aws_iam.PolicyStatement({ actions: ['ses:SendEmail'], resources: ['*'] }));
            new Rule(stack, 'R', { schedule: Schedule.rate(cdk.Duration.hours(1)), targets: [new LambdaFunction(worker)] });
            queue.grantSendMessages(backend.say.resources.lambda);
            worker.grantInvoke(backend.say.resources.lambda);
            backend.say.addEnvironment('WORKER', worker.functionArn);
            const other = new cdk.aws_lambda.Function(stack, 'Other', {
              functionName: 'mailer', code: cdk.aws_lambda.Code.fromAsset('amplify/mailer'), handler: 'main.go',
              runtime: Runtime.PYTHON_3_12 });
            other.addFunctionUrl({ authType: cdk.aws_lambda.FunctionUrlAuthType.NONE });
            new PythonFunction(stack, 'Py', { entry: 'amplify/py', runtime: Runtime.PYTHON_3_12 });
            new NodejsFunction(stack, 'Worker', { entry: 'amplify/second.ts' });
            backend.addOutput({ custom: { worker: worker.functionName } });
            """
        ])
        #expect(
            reading.functions.map(\.reference.givenName) == ["say", "Worker", "mailer", "Py"], "\(reading.functions)")
        guard reading.functions.count == 4 else { return }
        let (say, worker) = (reading.functions[0], reading.functions[1])
        guard case .folder(let folder, "index.run", _)? = worker.code else {
            Issue.record("\(worker)")
            return
        }
        #expect(folder.hasSuffix("amplify/worker") && worker.timeoutSeconds == 60)
        #expect(
            worker.environment == [
                .init(name: "URL", value: .deployed("queues/Jobs.queueUrl")),
                .init(name: "SELF", value: .deployed("backend.Worker.resources.lambda.functionName")),
            ])
        #expect(worker.queues == [QueueSubscription("Jobs")])
        #expect(worker.schedules.map(\.text) == ["rate(1 hour)"])
        #expect(worker.grants.statements.contains { $0.actions == ["ses:SendEmail"] })
        #expect(say.grants.statements.contains { $0.actions.contains("lambda:InvokeFunction") })
        #expect(
            say.environment == [
                .init(name: "WORKER", value: .deployed("backend.Worker.resources.lambda.functionArn"))
            ])
        #expect(reading.functions[2].hasOpenURL == true)
        // The second of a name cannot be told apart from the first.
        #expect(reading.diagnostics.map(\.message).filter { $0.contains("NodejsFunction") }.count == 1)
    }

    @Test("how a function is told of a table is what its event source says")
    func tableOptions() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
            import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
            import { auth } from './auth/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, say: defineFunction({ name: 'say' }) });
            const { tables } = backend.data.resources;
            backend.say.resources.lambda.addEventSource(new DynamoEventSource(tables['Todo'], {
              batchSize: 7, startingPosition: StartingPosition.TRIM_HORIZON, retryAttempts: 2, bisectBatchOnError: true,
              reportBatchItemFailures: true,
              filters: [
                FilterCriteria.filter({
                  eventName: FilterRule.or('INSERT', 'MODIFY'),
                  dynamodb: { NewImage: { id: { S: FilterRule.beginsWith('a') }, n: { N: FilterRule.isEqual('1') } } } }),
                { pattern: '{"eventName":["REMOVE"]}' } ] }));
            backend.say.resources.lambda.addEventSource(new DynamoEventSource(tables['Note'], {
              startingPosition: StartingPosition.LATEST, filters: [FilterCriteria.somehow()] }));
            """,
        ])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        var todo = TableEvents("Todo")
        (todo.batchSize, todo.beginsWithOldest, todo.retryAttempts) = (7, true, 2)
        (todo.bisects, todo.reportsItemFailures) = (true, true)
        todo.filters = [
            #"{"eventName":["INSERT","MODIFY"],"dynamodb":{"NewImage":{"id":{"S":[{"prefix":"a"}]},"n":{"N":["1"]}}}}"#,
            #"{"eventName":["REMOVE"]}"#,
        ]
        var note = TableEvents("Note")
        note.hasUnreadFilters = true
        #expect(reading.functions.map(\.tables) == [[todo, note]])
    }

    @Test(
        "a function that is called with the changes of a table is told so",
        arguments: [
            "new EventSourceMapping(stack, 'm', { target: backend.say.resources.lambda, eventSourceArn: table.tableStreamArn });",
            "backend.say.resources.lambda.addEventSource(new DynamoEventSource(table, { startingPosition: 'LATEST' }));",
            "backend.say.resources.lambda.addEventSourceMapping('m', { eventSourceArn: table.tableStreamArn });",
        ])
    func tables(line: String) throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
            import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
            import { auth } from './auth/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, say: defineFunction({ name: 'say' }) });
            const table = backend.data.resources.tables['Todo'];
            const stack = backend.createStack('s');
            \(line)
            """,
        ])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(reading.functions.map { $0.tables.map(\.model) } == [["Todo"]])
    }

    @Test(
        "a rule of the clock calls the functions that are its targets",
        arguments: [
            ("Schedule.rate(Duration.minutes(5))", "rate(5 minutes)"),
            ("Schedule.rate(Duration.hours(1))", "rate(1 hour)"),
            ("Schedule.cron({ minute: '0', hour: '8' })", "cron(0 8 * * ? *)"),
            ("events.Schedule.cron({ weekDay: 'MON-FRI', hour: 9 })", "cron(* 9 ? * MON-FRI *)"),
            ("Schedule.expression('rate(2 days)')", "rate(2 days)"),
        ])
    func rules(schedule: String, expected: String) throws {
        for line in [
            "new Rule(stack, 'r', { schedule: \(schedule), targets: [new LambdaFunction(backend.say.resources.lambda)] });",
            "new Rule(stack, 'r', { schedule: \(schedule) }).addTarget(new LambdaFunction(backend.say.resources.lambda));",
        ] {
            let reading = Self.read([
                "amplify/auth/resource.ts": Self.auth,
                "amplify/backend.ts": """
                import { defineBackend, defineFunction } from '@aws-amplify/backend';
                import { Duration } from 'aws-cdk-lib';
                import * as events from 'aws-cdk-lib/aws-events';
                import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
                import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
                import { auth } from './auth/resource';
                import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, say: defineFunction({ name: 'say' }) });
                const stack = backend.createStack('s');
                \(line)
                """,
            ])
            #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
            #expect(reading.functions.map(\.schedules) == [[FunctionSchedule(expected, isOfRule: true)]])
        }
    }

    @Test(
        "a schedule of the scheduler calls its function, in its time zone and with what it is told",
        arguments: [
            (
                "new Schedule(stack, 's', { schedule: ScheduleExpression.rate(Duration.minutes(10)), target: new LambdaInvoke(say, {}) });",
                [FunctionSchedule("rate(10 minutes)")]
            ),
            (
                """
                new Schedule(stack, 's', {
                  schedule: ScheduleExpression.cron({ minute: '0', hour: '8', timeZone: TimeZone.AMERICA_NEW_YORK }),
                  target: new LambdaInvoke(say, { input: ScheduleTargetInput.fromObject({ kind: 'daily' }) }),
                });
                """,
                [
                    FunctionSchedule(
                        "cron(0 8 * * ? *)", zone: "America/New_York", input: #"{"kind":"daily"}"#)
                ]
            ),
            (
                """
                new Schedule(stack, 's', {
                  schedule: ScheduleExpression.expression('rate(1 day)', TimeZone.of('Europe/Berlin')), target: new LambdaInvoke(say),
                });
                """,
                [FunctionSchedule("rate(1 day)", zone: "Europe/Berlin")]
            ),
            (
                """
                new Schedule(stack, 's', {
                  schedule: ScheduleExpression.rate(Duration.hours(1)), target: new LambdaInvoke(say, {}), enabled: false,
                });
                """, []
            ),
            (
                """
                new CfnSchedule(stack, 's', {
                  scheduleExpression: 'rate(5 minutes)', scheduleExpressionTimezone: 'Asia/Tokyo',
                  flexibleTimeWindow: { mode: 'OFF' }, target: { arn: say.functionArn, roleArn: 'r', input: '{"a":1}' },
                });
                """,
                [FunctionSchedule("rate(5 minutes)", zone: "Asia/Tokyo", input: #"{"a":1}"#)]
            ),
            (
                """
                new CfnSchedule(stack, 's', {
                  scheduleExpression: 'rate(5 minutes)', state: 'DISABLED', target: { arn: say.functionArn },
                });
                """, []
            ),
            (
                """
                new Rule(stack, 'r', {
                  schedule: events.Schedule.rate(Duration.hours(2)),
                  targets: [new LambdaFunction(say, { event: events.RuleTargetInput.fromObject({ n: 1 }) })],
                });
                """,
                [FunctionSchedule("rate(2 hours)", isOfRule: true, input: #"{"n":1}"#)]
            ),
        ])
    func schedulerSchedules(line: String, expected: [FunctionSchedule]) throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { Duration, TimeZone } from 'aws-cdk-lib';
            import * as events from 'aws-cdk-lib/aws-events';
            import { Rule } from 'aws-cdk-lib/aws-events';
            import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
            import { CfnSchedule, Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
            import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
            import { auth } from './auth/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('s');
            const say = backend.say.resources.lambda;
            \(line)
            """,
        ])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(reading.functions.map(\.schedules) == [expected])
    }

    @Test("a schedule for one moment alone is told, and calls nobody")
    func momentSchedule() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
            import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
            import { auth } from './auth/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, say: defineFunction({ name: 'say' }) });
            new Schedule(backend.createStack('s'), 's', {
              schedule: ScheduleExpression.at(new Date('2030-01-01T00:00:00Z')), target: new LambdaInvoke(backend.say.resources.lambda, {}),
            });
            """,
        ])
        #expect(reading.diagnostics.contains { $0.message.contains("Schedule") }, "\(reading.diagnostics)")
        #expect(reading.functions.map(\.schedules) == [[]])
    }

    @Test(
        "a constant of the CDK is the time zone that it is made of",
        arguments: [
            ("AMERICA_NEW_YORK", "America/New_York"), ("EUROPE_LONDON", "Europe/London"), ("ETC_UTC", "Etc/UTC"),
            ("AMERICA_ARGENTINA_BUENOS_AIRES", "America/Argentina/Buenos_Aires"),
            ("AMERICA_PORT_MINUS_AU_MINUS_PRINCE", "America/Port-au-Prince"),
            ("EUROPE_ISLE_OF_MAN", "Europe/Isle_of_Man"), ("AFRICA_DAR_ES_SALAAM", "Africa/Dar_es_Salaam"),
        ])
    func zones(constant: String, expected: String) { #expect(CDKTimeZone.name(ofConstant: constant) == expected) }

    @Test("functions hear of the files that a bucket's notifications and their event sources name")
    func notifications() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/storage/resource.ts": """
            import { defineStorage } from '@aws-amplify/backend';
            export const photos = defineStorage({ name: 'photos' });
            """,
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { EventType } from 'aws-cdk-lib/aws-s3';
            import { LambdaDestination, SnsDestination } from 'aws-cdk-lib/aws-s3-notifications';
            import { S3EventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
            import { Topic } from 'aws-cdk-lib/aws-sns';
            import { auth } from './auth/resource';
            import { photos } from './storage/resource';
            import { data } from 'elsewhere'; const backend = defineBackend({ data, auth, photos, say: defineFunction({ name: 'say' }) });
            const { bucket } = backend.photos.resources;
            const say = new LambdaDestination(backend.say.resources.lambda);
            bucket.addEventNotification(EventType.OBJECT_CREATED_PUT, say);
            bucket.addEventNotification(EventType.OBJECT_REMOVED, say, { prefix: 'public/' }, { suffix: '.pdf' });
            bucket.addObjectCreatedNotification(say, { prefix: 'in/', suffix: '.txt' });
            bucket.addObjectRemovedNotification(say);
            backend.say.resources.lambda.addEventSource(new S3EventSource(bucket, {
                events: [EventType.OBJECT_CREATED_COPY, 's3:ObjectRemoved:Delete'], filters: [{ suffix: '.jpg' }],
            }));
            bucket.addEventNotification(EventType.OBJECT_TAGGING_PUT, say);
            bucket.addEventNotification(EventType.OBJECT_CREATED, new SnsDestination(new Topic(bucket, 'told')));
            bucket.addObjectCreatedNotification(say, { prefix: 'a' }, { prefix: 'b' });
            backend.say.resources.lambda.addEventSource(new S3EventSource(bucket, { events: [EventType.NOBODY_KNOWS] }));
            backend.say.addEnvironment('BUCKET', bucket.bucketName);
            """,
        ])
        #expect(
            reading.storages.first?.listeners == [
                StorageListener("say", of: ["ObjectCreated:Put"]),
                StorageListener("say", of: ["ObjectRemoved:*"], prefix: "public/", suffix: ".pdf"),
                StorageListener("say", of: ["ObjectCreated:*"], prefix: "in/", suffix: ".txt"),
                StorageListener("say", of: ["ObjectRemoved:*"]),
                StorageListener("say", of: ["ObjectCreated:Copy", "ObjectRemoved:Delete"], suffix: ".jpg"),
            ])
        #expect(reading.diagnostics.map(\.isError) == [false])
        for part in ["addEventNotification of photos (", "addObjectCreatedNotification of photos (", "S3EventSource"] {
            #expect(reading.diagnostics.first?.message.contains(part) == true, "\(part)")
        }
        #expect(reading.storageKeys == ["photos": "photos"])
        #expect(
            reading.functions.first?.environment == [
                .init(name: "BUCKET", value: .deployed("backend.photos.resources.bucket.bucketName"))
            ])
    }

    @Test("what a project makes of its own is told once, with its places, and stops nothing")
    func tellsMade() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                import { Vpc } from 'aws-cdk-lib/aws-ec2';
                import * as apigateway from 'aws-cdk-lib/aws-apigateway';
                import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
                const stack = backend.createStack('jobs');
                const network = new Vpc(stack, 'first');
                new Vpc(stack, 'second', { peer: network });
                const api = new apigateway.RestApi(stack, 'api', { restApiName: 'api' });
                api.root.addResource('items').addMethod('GET');
                new apigateway.DomainName(stack, 'name', { domainName: 'api.example.com' });
                backend.addOutput({ custom: { API: { [api.restApiName]: { region: 'eu-west-1' } } } });
                new Policy(stack, 'p', { statements: [new PolicyStatement({ actions: ['sqs:*'] })] });
                backend.addOutput({ custom: { name: 'x' } });
                """,
        ])
        #expect(!reading.isRefused && reading.auth != nil)
        let told = reading.diagnostics.map(\.message)
        #expect(told.count == 1 && told.first?.contains("Vpc (") == true, "\(told)")
        #expect(told.first?.contains("DomainName (") == true && told.first?.contains("Policy") == false, "\(told)")
        #expect(told.first?.contains("RestApi") == false, "\(told)")
        #expect(reading.added.value["custom"]?["name"] == "x")
        #expect(reading.added.value["custom"]?["API"]?["api"]?["region"] == "eu-west-1")
    }

    @Test("what is assigned and known only when the app is deployed is refused")
    func refusesOpaqueOverrides() {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                import { Stack } from 'aws-cdk-lib';
                backend.auth.resources.cfnResources.cfnUserPoolClient.logoutUrLs = [Stack.of(backend.auth).url];
                """,
        ])
        #expect(reading.auth == nil && reading.isRefused)
        #expect(reading.diagnostics.first?.message.contains("known only when the app is deployed") == true)
    }

    @Test("a resource that backend.ts does not name is none of the project's")
    func leavesOut() {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts":
                "import { defineBackend } from '@aws-amplify/backend';\nimport './auth/resource';\ndefineBackend({});",
        ])
        #expect(reading.auth == nil && !reading.isRefused && reading.hasData == false)
        // The pool is what it says all the same.
        #expect(reading.signIn.resource?.groups == ["staff", "members"])
        #expect(reading.diagnostics.map(\.severity) == [.warning])
    }

    @Test("sign-in to which no program leads is what its file says, and is refused where that is wrong")
    func leadsNowhere() {
        let backend = "import { defineBackend } from '@aws-amplify/backend';\ndefineBackend({});"
        let reading = Self.read(["amplify/auth/resource.ts": Self.auth, "amplify/backend.ts": backend])
        #expect(reading.auth == nil && reading.signIn.resource?.groups == ["staff", "members"])
        let wrong = Self.read([
            "amplify/auth/resource.ts": Self.auth + "\nexport const other = defineAuth({});",
            "amplify/backend.ts": backend,
        ])
        #expect(wrong.signIn == .refused)
    }

    @Test(
        "a backend.ts that defines no backend is refused where the project has resources",
        arguments: ["", "export {};"])
    func definesNothing(program: String) {
        let reading = Self.read(["amplify/auth/resource.ts": Self.auth, "amplify/backend.ts": program])
        #expect(reading.signIn == .refused && reading.storages.isEmpty)
        #expect(reading.diagnostics.map(\.isError) == [true] && reading.diagnostics.first?.file == "amplify/backend.ts")
        #expect(!Self.read(["amplify/backend.ts": program]).isRefused)
    }

    @Test("a backend.ts that fails, and can restrict nobody, is warned of, and sign-in is what was said before")
    func warns() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                const table = backend.data.resources.tables['Todo'];
                const count = JSON.parse('no count');
                count.nothing.at.all;
                """,
        ])
        #expect(reading.auth?.groups == ["staff", "members"] && !reading.isWhole)
        let warning = try #require(reading.diagnostics.first)
        #expect(warning.severity == .warning, "\(warning)")
        #expect(warning.file == "amplify/backend.ts")
        #expect(warning.message.hasPrefix("amplify/backend.ts cannot be run to its end"))
        for lost in ["sign-in", "files", "functions", "rights", "queues", "state machines", "tables", "outputs"] {
            #expect(warning.message.contains(lost), "\(warning)")
        }
    }

    @Test(
        "a backend.ts that fails and may restrict somebody is refused, as is one that breaks off",
        arguments: [
            "backend.nothing(); throw new Error('no'); cfn.cfnIdentityPool.allowUnauthenticatedIdentities = false;",
            "throw new Error('no'); backend.auth.resources.userPool.node.defaultChild.mfaConfiguration = 'ON';",
            "const x = {", "if (true) { defineBackend(",
        ])
    func refusesWhatFails(program: String) {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth, "amplify/backend.ts": Self.backend + program,
        ])
        #expect(reading.signIn == .refused && reading.isRefused, "\(reading.diagnostics)")
        #expect(reading.diagnostics.contains { $0.file == "amplify/backend.ts" && $0.isError })
    }

    @Test(
        "what is done with each part of what only the cloud knows is left out and told of, and what stands behind it is read",
        arguments: [
            "for (const table of backend.data.resources.tables) table.x = 1;",
            "for (const [name, table] of Object.entries(backend.data.resources.tables)) { table.grantReadData(name); }",
            "for (const name in backend.data.resources.tables) console.log(name);",
            "backend.data.resources.tables.forEach((table) => { table.x = 1; });",
            "backend.data.resources.tables.map((table) => table.x);",
            "Object.values(backend.data.resources.tables).forEach((table) => table.x);",
        ])
    func passesOver(line: String) throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                backend.auth.resources.cfnResources.cfnIdentityPool.allowUnauthenticatedIdentities = true;
                \(line)
                backend.auth.resources.cfnResources.cfnIdentityPool.allowUnauthenticatedIdentities = false;
                backend.addOutput({ custom: { behind: 1 } });
                """,
        ])
        #expect(reading.auth?.pool.allowsGuests == false)
        #expect(reading.added.value["custom"] == ["behind": 1])
        // Not all is known that functions are given.
        #expect(!reading.isWhole)
        #expect(reading.diagnostics.count == 1, "\(reading.diagnostics)")
        let warning = try #require(reading.diagnostics.first)
        #expect(warning.severity == .warning && warning.file == "amplify/backend.ts", "\(warning)")
        #expect(warning.location?.line == 5, "\(warning)")
        #expect(warning.message.contains("known only when the app is deployed"), "\(warning)")
    }

    @Test(
        "what is taken from what only the cloud knows is as unknown, and the program goes on",
        arguments: [
            "const [first] = backend.data.resources.tables;",
            "const [first, , second = 1, ...others] = backend.data.resources.tables;",
            "let one; [one] = backend.data.resources.tables; one.grantReadData(backend);",
            "const { a: { b = 3 } = {}, ...more } = backend.data.resources.cfnResources.x; const y = [more.y, b];",
            "const text = JSON.stringify({ tables: [backend.data.resources.tables] });",
            "const text = [backend.data.resources.graphqlApi.apiId, 'x'].join('/');",
            "const text = String(backend.data.resources.graphqlApi.apiId).split('-')[0].toLowerCase();",
            "const count = Math.max(backend.data.resources.count, 3);",
            "const ids = new Set([backend.data.resources.graphqlApi.apiId]);",
            "const copy = structuredClone(backend.data.resources.tables);",
        ])
    func takesParts(line: String) throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                \(line)
                backend.auth.resources.cfnResources.cfnIdentityPool.allowUnauthenticatedIdentities = false;
                """,
        ])
        #expect(reading.auth?.pool.allowsGuests == false)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(reading.isWhole)
    }

    @Test(
        "what only the cloud knows is there where a condition asks, equals nothing else, and this is told",
        arguments: [
            ("resources.tables", true), ("!resources.tables", false), ("resources.tables || other", true),
            ("resources.graphqlApi.apiId === 'x'", false), ("resources.graphqlApi.apiId !== 'x'", true),
            ("resources.graphqlApi.apiId == 3", false), ("3 != resources.graphqlApi.apiId", true),
            ("resources.tables.length > 1", false), ("1 <= resources.tables.length", false),
            ("resources.tables.includes('x')", false), ("!resources.graphqlApi.isOwned()", true),
            ("resources.graphqlApi.isOwned", true), ("resources.stack.node.tryGetContext('stage')", false),
            ("resources.stack.isUnresolved(other)", true), ("resources.tables instanceof Array", false),
        ])
    func decides(condition: String, answer: Bool) throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                const other = 1, { resources } = backend.data;
                if (\(condition)) backend.addOutput({ custom: { then: true } }); else backend.addOutput({ custom: { else: true } });
                backend.auth.resources.cfnResources.cfnIdentityPool.allowUnauthenticatedIdentities = false;
                """,
        ])
        #expect(reading.auth?.pool.allowsGuests == false)
        #expect(reading.added.value["custom"] == (answer ? ["then": true] : ["else": true]))
        #expect(!reading.isWhole)
        #expect(reading.diagnostics.count == 1, "\(reading.diagnostics)")
        let warning = try #require(reading.diagnostics.first)
        #expect(warning.severity == .warning && warning.location?.line == 5, "\(warning)")
        #expect(warning.message.contains("known only when the app is deployed, "), "\(warning)")
        #expect(warning.message.hasSuffix("may be otherwise in the cloud"), "\(warning)")
    }

    @Test(
        "what a function needs for an element still ends the program, which is refused as its rest may restrict somebody"
    )
    func endsInside() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                const list = (...all) => all, lists = [1, 2].map(() => list(...backend.data.resources.names));
                backend.auth.resources.cfnResources.cfnIdentityPool.allowUnauthenticatedIdentities = false;
                """,
        ])
        #expect(reading.signIn == .refused)
        #expect(reading.diagnostics.contains { $0.isError && $0.message.contains("cannot be run to its end") })
    }

    @Test(
        "there is one defineAuth, in its place",
        arguments: [
            (
                [
                    "amplify/backend.ts": "import { defineAuth, defineBackend } from '@aws-amplify/backend';\n"
                        + "defineBackend({ auth: defineAuth({ loginWith: { email: true } }) });"
                ],
                "Amplify Auth must be defined in amplify/auth/resource.ts"
            ),
            (
                ["amplify/auth/resource.ts": auth + "\ndefineAuth({ loginWith: { email: true } });"],
                "Multiple `defineAuth` or `referenceAuth` calls are not allowed within an Amplify backend"
            ),
        ])
    func refusesPlaces(files: [String: String], message: String) {
        let reading = Self.read(files)
        #expect(reading.isRefused && reading.diagnostics.first?.message == message)
    }

    @Test("a user pool elsewhere is stood in for, and that is said")
    func stands() {
        let reading = Self.read([
            "amplify/auth/resource.ts":
                "import { referenceAuth } from '@aws-amplify/backend';\nexport const auth = referenceAuth({ userPoolId: 'x' });"
        ])
        #expect(reading.auth?.pool.usernameAttributes == ["email"])
        #expect(reading.diagnostics.map(\.severity) == [.note])
    }

    @Test(
        "what addOutput adds is put together, and what is known only when the app is deployed is left out until somebody knows it"
    )
    func adds() throws {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/backend.ts": Self.backend + """
                import { Stack } from 'aws-cdk-lib';
                backend.addOutput({ custom: { a: 1, list: [1], gone: Stack.of(backend.auth).region, empty: '' } });
                const table = `${Stack.of(backend.auth).account}-t`;
                backend.addOutput({ version: '1.1', custom: { b: { c: false, n: null }, list: ['x', table], empty: 'now' } });
                """,
        ])
        #expect(
            JSONValue.object(reading.added.value) == [
                "custom": ["a": 1, "list": [1, "x", nil], "empty": "now", "b": ["c": false, "n": nil]],
                "version": "1.4",
            ])
        let (parts, warnings) = reading.added { value in
            guard case .joined(let parts) = value else { return nil }
            return parts == [.deployed("Stack.of().account"), .text("-t")] ? "123-t" : nil
        }
        #expect(
            JSONValue.object(parts.value) == [
                "custom": ["a": 1, "list": [1, "x", "123-t"], "empty": "now", "b": ["c": false, "n": nil]],
                "version": "1.4",
            ])
        #expect(reading.diagnostics.isEmpty && warnings.map(\.severity) == [.warning])
        #expect(warnings.first?.location?.line == 5 && warnings.first?.message.hasPrefix("`custom.gone` of") == true)
    }

    @Test(
        "what is added twice, or of another version, is refused",
        arguments: [
            (
                "backend.addOutput({ custom: { a: 1 } }); backend.addOutput({ custom: { a: 1 } });",
                "Output entry with key a already exists"
            ),
            (
                "backend.addOutput({ version: '2', custom: {} }); backend.addOutput({});",
                "Conflicting versions of client configuration found."
            ),
            ("backend.addOutput(5);", "`addOutput` takes an object"),
        ])
    func refusesAdded(text: String, message: String) {
        let reading = Self.read(["amplify/auth/resource.ts": Self.auth, "amplify/backend.ts": Self.backend + text])
        #expect(reading.isRefused && reading.diagnostics.first?.message == message)
    }

    @Test("a program that does not end is refused by its limit")
    func bounds() {
        let reading = Self.read("{ loginWith: { email: { verificationEmailBody: () => { for (;;) {} } } } }")
        #expect(reading.isRefused)
        let long = Self.read("{ loginWith: { email: true }, groups: Array.from({ length: 500 }, (_, i) => i) }")
        #expect(long.isRefused && long.diagnostics.count == 100)
    }
}
