import JSON
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What `amplify/backend.ts` says by parts of the CDK that are known before a deployment.
@Suite("Known values of a Gen 2 project")
struct DeployedValueTests {
    private static func read(_ lines: String, triggers: String = "") -> Project {
        Project.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                import { first } from '../fn/resource';
                export const auth = defineAuth({ loginWith: { email: true }\(triggers) });
                """,
                "amplify/data/resource.ts": """
                import { a, defineData } from '@aws-amplify/backend';
                export const data = defineData({ schema: a.schema({ Todo: a.model({ x: a.string() }) }) });
                """,
                "amplify/fn/resource.ts": """
                import { defineFunction } from '@aws-amplify/backend';
                export const first = defineFunction({ name: 'first' });
                export const second = defineFunction({ name: 'second' });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import * as cdk from 'aws-cdk-lib';
                import { CfnOutput, Fn, Stack, ArnFormat } from 'aws-cdk-lib';
                import { UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
                import { Function } from 'aws-cdk-lib/aws-lambda';
                import { Bucket } from 'aws-cdk-lib/aws-s3';
                import { auth } from './auth/resource';
                import { data } from './data/resource';
                import { first, second } from './fn/resource';
                const backend = defineBackend({ auth, data, first, second });
                const stack = backend.createStack('own');
                const pool = backend.auth.resources.userPool;
                const { cfnUserPool } = backend.auth.resources.cfnResources;
                const fn = backend.second.resources.lambda;
                \(lines)
                """,
            ]))
    }

    @Test(
        "functions that it adds to the pool are triggers like those of defineAuth",
        arguments: [
            (
                "pool.addTrigger(UserPoolOperation.POST_CONFIRMATION, fn);",
                "preSignUp: first, postConfirmation: second"
            ),
            (
                "pool.addTrigger(UserPoolOperation.PRE_SIGN_UP, fn);", "preSignUp: second"
            ),
            (
                "pool.addTrigger(UserPoolOperation.of('verifyAuthChallengeResponse'), fn);",
                "preSignUp: first, verifyAuthChallengeResponse: second"
            ),
            (
                "pool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, fn);",
                "preSignUp: first, preTokenGeneration: second"
            ),
            // What takes the place of all has all.
            ("cfnUserPool.lambdaConfig = { postConfirmation: fn.functionArn };", "postConfirmation: second"),
            (
                "cfnUserPool.lambdaConfig = { preTokenGenerationConfig: { lambdaArn: fn.functionArn, lambdaVersion: 'V2_0' } };",
                "preTokenGeneration: second"
            ),
            (
                "cfnUserPool.addPropertyOverride('LambdaConfig.PostConfirmation', fn.functionArn);",
                "preSignUp: first, postConfirmation: second"
            ),
        ])
    func triggers(line: String, triggers: String) {
        let reading = Self.read(line, triggers: ", triggers: { preSignUp: first }")
        let told = (reading.auth?.triggers ?? []).map { "\($0.event.rawValue): \($0.function.givenName ?? "?")" }
        #expect(told.joined(separator: ", ") == triggers)
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }

    @Test(
        "a trigger that is nowhere here is told",
        arguments: [
            (
                "pool.addTrigger(UserPoolOperation.POST_CONFIRMATION, Function.fromFunctionName(stack, 'x', 'y'));",
                "a function elsewhere as the trigger postConfirmation"
            ),
            (
                "cfnUserPool.lambdaConfig = { postConfirmation: 'arn:aws:lambda:us-east-1:123456789012:function:x' };",
                "a function elsewhere as the trigger postConfirmation"
            ),
            (
                "pool.addTrigger(UserPoolOperation.CUSTOM_EMAIL_SENDER, fn);",
                "a function that sends messages as the trigger customEmailSender"
            ),
        ])
    func triggersElsewhere(line: String, message: String) {
        let reading = Self.read(line)
        #expect(reading.auth?.triggers.isEmpty == true)
        #expect(
            reading.diagnostics.contains { $0.message.contains(message) },
            "\(reading.diagnostics)")
    }

    @Test(
        "values whose parts are written are known",
        arguments: [
            ("Bucket.fromBucketAttributes(stack, 'X', { bucketArn: 'arn:aws:s3:::mine' }).bucketName", "mine"),
            ("Bucket.fromBucketAttributes(stack, 'X', { bucketName: 'mine' }).bucketArn", "arn:aws:s3:::mine"),
            (
                "Bucket.fromBucketAttributes(stack, 'X', { bucketName: 'm', region: 'us-east-2' }).env.region",
                "us-east-2"
            ),
            ("Bucket.fromBucketName(stack, 'X', 'mine').bucketName", "mine"),
            ("Bucket.fromBucketArn(stack, 'X', 'arn:aws:s3:::mine').bucketName", "mine"),
            ("Fn.join('-', ['a', 'b', 'c'])", "a-b-c"), ("cdk.Fn.join('', ['a', 'b'])", "ab"),
            ("Fn.select(1, ['a', 'b'])", "b"), ("Fn.select(5, Fn.split(':', 'arn:aws:s3:::mine'))", "mine"),
            ("Fn.sub('plain')", "plain"),
            (
                "stack.formatArn({ service: 's', region: 'r', account: '1', resource: 'a', resourceName: 'b' })",
                "arn:aws:s:r:1:a/b"
            ),
            (
                "Stack.of(stack).formatArn({ service: 's', region: '', account: '', resource: 'a', resourceName: 'b', "
                    + "arnFormat: ArnFormat.COLON_RESOURCE_NAME })", "arn:aws:s:::a:b"
            ),
        ])
    func values(expression: String, value: String) {
        let reading = Self.read(
            "backend.addOutput({ custom: { value: \(expression) } });\nbackend.second.addEnvironment('V', \(expression));"
        )
        #expect(reading.added.value["custom"]?["value"]?.string == value)
        let function = reading.functions.first { $0.reference.givenName == "second" }
        #expect(function?.environment == [.init(name: "V", value: .text(value))])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }

    @Test("what is known of a stack only when the server runs stays so in what is made of it")
    func stacks() {
        let reading = Self.read(
            "backend.second.addEnvironment('V', stack.formatArn({ service: 's', resource: fn.functionName }));\n"
                + "backend.second.addEnvironment('W', Fn.sub('${X}'));")
        let function = reading.functions.first { $0.reference.givenName == "second" }
        let name = FunctionVariable.Value.deployed("backend.second.resources.lambda.functionName")
        #expect(
            function?.environment == [
                .init(
                    name: "V",
                    value: .joined([
                        .text("arn:aws:s:"), .deployed("Aws.REGION"), .text(":"), .deployed("Aws.ACCOUNT_ID"),
                        .text(":"), name,
                    ])), .init(name: "W", value: .deployed("Fn.sub()")),
            ])
    }

    @Test("outputs of stacks, and tables that are there, give no warning")
    func quiet() {
        let reading = Self.read(
            """
            new CfnOutput(stack, 'o', { value: fn.functionName });
            new cdk.CfnOutput(stack, 'p', { value: 'x' });
            if (backend.data.resources.tables['Todo']) { backend.addOutput({ custom: { has: 1 } }); }
            """)
        #expect(reading.added.value["custom"] == ["has": 1])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }
}
