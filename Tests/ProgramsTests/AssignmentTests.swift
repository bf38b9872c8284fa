import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What becomes of the properties that `amplify/backend.ts` assigns to the resources of a deployment.
@Suite("Assignments to resources")
struct AssignmentTests {
    private static func read(_ program: String) -> Project {
        Project.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                export const auth = defineAuth({ loginWith: { email: true }, groups: ['staff'] });
                """,
                "amplify/storage/resource.ts": """
                import { defineStorage } from '@aws-amplify/backend';
                export const storage = defineStorage({ name: 'files' });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { auth } from './auth/resource';
                import { storage } from './storage/resource';
                const backend = defineBackend({ auth, storage });
                const { cfnUserPool, cfnUserPoolClient, cfnIdentityPool } = backend.auth.resources.cfnResources;
                \(program)
                """,
            ]))
    }

    // MARK: Nothing is dropped

    /// Every property that CloudFormation knows of a resource, by the names of the CDK. A new one belongs here first.
    static let properties: [(ResourceProperties, String)] = [
        (
            .userPool,
            """
            accountRecoverySetting adminCreateUserConfig aliasAttributes autoVerifiedAttributes deletionProtection
            deviceConfiguration emailAuthenticationMessage emailAuthenticationSubject emailConfiguration
            emailVerificationMessage emailVerificationSubject enabledMfas lambdaConfig mfaConfiguration policies schema
            smsAuthenticationMessage smsConfiguration smsVerificationMessage userAttributeUpdateSettings userPoolAddOns
            userPoolName userPoolTags userPoolTier usernameAttributes usernameConfiguration verificationMessageTemplate
            webAuthnRelyingPartyId webAuthnUserVerification
            """
        ),
        (
            .userPoolClient,
            """
            accessTokenValidity allowedOAuthFlows allowedOAuthFlowsUserPoolClient allowedOAuthScopes
            analyticsConfiguration authSessionValidity callbackUrLs clientName defaultRedirectUri
            enablePropagateAdditionalUserContextData enableTokenRevocation explicitAuthFlows generateSecret
            idTokenValidity logoutUrLs preventUserExistenceErrors readAttributes refreshTokenRotation
            refreshTokenValidity supportedIdentityProviders tokenValidityUnits userPoolId writeAttributes
            """
        ),
        (
            .identityPool,
            """
            allowClassicFlow allowUnauthenticatedIdentities cognitoEvents cognitoIdentityProviders cognitoStreams
            developerProviderName identityPoolName identityPoolTags openIdConnectProviderArns pushSync samlProviderArns
            supportedLoginProviders
            """
        ),
        (.userPoolGroup, "description groupName precedence roleArn userPoolId"),
        (
            .bucket,
            """
            abacStatus accelerateConfiguration accessControl analyticsConfigurations bucketEncryption bucketName
            bucketNamePrefix bucketNamespace corsConfiguration intelligentTieringConfigurations inventoryConfigurations
            lifecycleConfiguration loggingConfiguration metadataConfiguration metadataTableConfiguration
            metricsConfigurations notificationConfiguration objectLockConfiguration objectLockEnabled ownershipControls
            publicAccessBlockConfiguration replicationConfiguration tags versioningConfiguration websiteConfiguration
            """
        ),
        (
            .table,
            """
            attributeDefinitions billingMode contributorInsightsSpecification deletionProtectionEnabled
            globalSecondaryIndexes importSourceSpecification keySchema kinesisStreamSpecification localSecondaryIndexes
            onDemandThroughput pointInTimeRecoveryEnabled pointInTimeRecoverySpecification provisionedThroughput
            resourcePolicy sseSpecification streamSpecification tableClass tableName tags timeToLiveAttribute
            timeToLiveSpecification warmThroughput
            """
        ),
        (
            .function,
            """
            architectures capacityProviderConfig code codeSigningConfigArn deadLetterConfig description durableConfig
            environment ephemeralStorage fileSystemConfigs functionName functionScalingConfig handler imageConfig
            kmsKeyArn layers loggingConfig memorySize packageType publishToLatestPublished recursiveLoop
            reservedConcurrentExecutions role runtime runtimeManagementConfig snapStart tags tenancyConfig timeout
            tracingConfig vpcConfig
            """
        ),
        (
            .api,
            """
            additionalAuthenticationProviders apiType authenticationType enhancedMetricsConfig environmentVariables
            introspectionConfig lambdaAuthorizerConfig logConfig mergedApiExecutionRoleArn name openIdConnectConfig
            ownerContact queryDepthLimit resolverCountLimit tags userPoolConfig visibility xrayEnabled
            """
        ),
        (
            .schedule,
            """
            description endDate flexibleTimeWindow groupName kmsKeyArn name scheduleExpression
            scheduleExpressionTimezone startDate state target
            """
        ),
        (.rule, "description eventBusName eventPattern name roleArn scheduleExpression state tags targets"),
        (
            .queue,
            """
            contentBasedDeduplication deduplicationScope delaySeconds fifoQueue fifoThroughputLimit
            kmsDataKeyReusePeriodSeconds kmsMasterKeyId maximumMessageSize messageRetentionPeriod queueName
            receiveMessageWaitTimeSeconds redriveAllowPolicy redrivePolicy sqsManagedSseEnabled tags visibilityTimeout
            """
        ),
        (
            .topic,
            """
            archivePolicy contentBasedDeduplication dataProtectionPolicy deliveryStatusLogging displayName
            fifoThroughputScope fifoTopic kmsMasterKeyId signatureVersion subscription tags topicName tracingConfig
            """
        ),
        (
            .stateMachine,
            """
            definition definitionS3Location definitionString definitionSubstitutions encryptionConfiguration
            loggingConfiguration roleArn stateMachineName stateMachineType tags tracingConfiguration
            """
        ),
    ]

    @Test("each property of each resource is read, has no meaning here, is told of, or refuses", arguments: properties)
    func isKnown(resource: ResourceProperties, names: String) {
        let names = names.split { $0 == " " || $0 == "\n" }.map(String.init)
        #expect(Set(resource.members.map(\.name)) == Set(names))
        for member in resource.members {
            switch member.use {
            case .meaningless(let reason), .unserved(let reason), .refused(let reason): #expect(!reason.isEmpty)
            default: break
            }
        }
    }

    /// What is assigned, whether it is an error, and a part of what is said, with its line.
    static let told: [(program: String, isError: Bool, message: String)] = [
        ("cfnUserPool.mfaConfigurations = 'ON';", true, "`cfnUserPool` has no property `mfaConfigurations`"),
        ("cfnUserPool.mfaConfiguration = 'REQUIRED';", true, "`cfnUserPool.mfaConfiguration` is one of OFF, ON"),
        (
            "cfnUserPool.adminCreateUserConfig = { allowAdminCreateUserOnl: true };", true,
            "has no property `allowAdminCreateUserOnl`"
        ),
        (
            "cfnUserPool.adminCreateUserConfig = { allowAdminCreateUserOnly: backend.auth.stack.isProduction };", true,
            "which is known only when the app is deployed"
        ),
        (
            "cfnUserPool.policies.passwordPolicy.minimumLength = '12 letters';", true,
            "`cfnUserPool.policies.passwordPolicy.minimumLength` is a number from 6 to 99"
        ),
        (
            "cfnUserPool.addPropertyOverride('Policies.PasswordPolicy.PasswordHistorySize', 3);", true,
            "restricts somebody, and does not hold here"
        ),
        (
            "backend.auth.resources.cfnResources.cfnUserPol.mfaConfiguration = 'ON';", true,
            "nothing here reads `backend.auth.resources.cfnResources.cfnUserPol.mfaConfiguration`"
        ),
        (
            "cfnUserPool.addPropertyOverrides('MfaConfiguration', 'ON');", true,
            "`cfnUserPool` has no method `addPropertyOverrides`"
        ),
        (
            "backend.storage.resources.cfnResources.cfnBucket.addPropertyOveride('ObjectLockEnabled', true);", true,
            "has no method `addPropertyOveride`"
        ),
        ("cfnUserPoolClient.explicitAuthFlows = ['ALLOW_ALL'];", true, "explicitAuthFlows` is a list, each one of"),
        ("cfnUserPool.userPoolAddOns = { advancedSecurityMode: 'ENFORCED' };", false, "does not hold here"),
        (
            "backend.storage.resources.cfnResources.cfnBucket.lifecycleConfiguration = { rules: [] };", false,
            "`cfnBucket.lifecycleConfiguration` does not hold here: files stay until"
        ),
        (
            "backend.storage.resources.cfnResources.cfnBucket.addOverride('Properties', { ObjectLockEnabled: true });",
            true, "`cfnBucket.objectLockEnabled` restricts somebody"
        ),
        (
            "backend.storage.resources.cfnResources.cfnBucket.objectLockEnabled = true;", true,
            "`cfnBucket.objectLockEnabled` restricts somebody"
        ),
    ]

    @Test("what does not hold is told at its place, and refuses where it restricts somebody", arguments: told)
    func isTold(program: String, isError: Bool, message: String) throws {
        let reading = Self.read(program)
        let said = try #require(
            reading.diagnostics.first { $0.message.contains(message) }, "\(reading.diagnostics)")
        #expect(said.isError == isError && said.location?.line == 6, "\(said)")
        #expect(reading.isRefused == isError && (reading.signIn == .refused) == isError)
    }

    @Test(
        "what has no meaning here is passed over without a word",
        arguments: [
            "cfnUserPool.userPoolTags = { team: 'shop' };", "cfnUserPool.deletionProtection = 'ACTIVE';",
            "cfnUserPool.emailConfiguration = { sourceArn: backend.auth.stack.region };",
            "cfnIdentityPool.identityPoolName = 'shop';", "cfnUserPool.addMetadata('team', 'shop');",
            "cfnUserPool.addDependency(cfnIdentityPool);", "cfnUserPool.overrideLogicalId('Pool');",
            "backend.storage.resources.cfnResources.cfnBucket.publicAccessBlockConfiguration = {};",
        ])
    func isPassedOver(program: String) {
        #expect(Self.read(program).diagnostics.map(\.description) == [])
    }

    // MARK: What is read

    @Test("what is assigned to the pool and its client holds, however the program comes to them")
    func isRead() throws {
        let reading = Self.read(
            """
            cfnUserPool.adminCreateUserConfig.allowAdminCreateUserOnly = true;
            cfnUserPool.accountRecoverySetting = { recoveryMechanisms: [
              { name: 'verified_email', priority: 2 }, { name: 'verified_phone_number', priority: 1 }] };
            cfnUserPool.deviceConfiguration = { challengeRequiredOnNewDevice: true, deviceOnlyRememberedOnUserPrompt: true };
            cfnUserPool.addPropertyOverride('Policies.PasswordPolicy.TemporaryPasswordValidityDays', 3);
            cfnUserPool.addPropertyDeletionOverride('UserAttributeUpdateSettings');
            cfnUserPool.schema.push({ name: 'role', attributeDataType: 'String', mutable: false });
            backend.auth.resources.userPool.node.defaultChild.mfaConfiguration = 'ON';
            const client = backend.auth.resources.userPoolClient.node.defaultChild;
            client.writeAttributes = ['email'];
            client.readAttributes = ['email', 'custom:role'];
            client.explicitAuthFlows = ['ALLOW_USER_SRP_AUTH'];
            client.preventUserExistenceErrors = 'LEGACY';
            client.refreshTokenRotation = { feature: 'ENABLED', retryGracePeriodSeconds: 30 };
            client.authSessionValidity = 5;
            """)
        #expect(reading.diagnostics.map(\.description) == [])
        let auth = try #require(reading.auth)
        let pool = auth.pool
        #expect(!pool.allowsSelfSignUp && pool.mfaMode == .required && pool.temporaryPasswordDays == 3)
        #expect(pool.recovery == .phoneWithoutMFAAndEmail && pool.addressesProvedFirst.isEmpty)
        #expect(pool.devices == DeclaredPool.Devices(areOnRequest: true, standIn: true))
        #expect(pool.writeAttributes == ["email"] && pool.readAttributes == ["email", "custom:role"])
        #expect(pool.signInFlows == ["ALLOW_USER_SRP_AUTH"] && pool.tellsOfUsers == true)
        #expect(pool.rotationGraceSeconds == 30 && pool.challengeSeconds == 300)
        #expect(auth.attributes.first { $0.name == "custom:role" }?.isMutable == false)
    }

    @Test("an override holds whatever is assigned behind it, and its objects leave their other members as they are")
    func overrides() throws {
        let reading = Self.read(
            """
            cfnUserPool.addPropertyOverride('MfaConfiguration', 'ON');
            cfnUserPool.mfaConfiguration = 'OFF';
            cfnUserPool.addPropertyOverride('Policies', { PasswordPolicy: { MinimumLength: 12 } });
            cfnUserPool.addOverride('Properties.AdminCreateUserConfig', { AllowAdminCreateUserOnly: true });
            cfnUserPool.adminCreateUserConfig = { allowAdminCreateUserOnly: false };
            cfnUserPool.addOverride('Properties', { UsernameConfiguration: { CaseSensitive: true } });
            cfnIdentityPool.addPropertyOverride('AllowUnauthenticatedIdentities', false);
            """)
        #expect(reading.diagnostics.map(\.description) == [])
        let pool = try #require(reading.auth).pool
        #expect(pool.mfaMode == .required && !pool.allowsSelfSignUp && !pool.allowsGuests)
        #expect(pool.isCaseSensitive && pool.passwordPolicy.lengthMin == 12 && pool.passwordPolicy.needsSymbols)
    }

    @Test(
        "an override without an end ends the program",
        arguments: ["cfnUserPool", "backend.storage.resources.bucket.node.defaultChild", "fn.node.defaultChild"])
    func endless(part: String) {
        let reading = Self.read(
            """
            import { Function } from 'aws-cdk-lib/aws-lambda';
            const fn = new Function(backend.stack, 'f', { code: 'x', handler: 'index.handler' });
            const circle = {}; for (const name of 'abcdefghij') circle[name] = circle;
            \(part).addPropertyOverride('X', circle);
            """)
        #expect(reading.isRefused || !reading.diagnostics.isEmpty)
    }

    @Test("a pool without a policy of its own has Cognito's")
    func deletedPolicy() throws {
        let reading = Self.read("cfnUserPool.addPropertyDeletionOverride('Policies');")
        #expect(try #require(reading.auth).pool.passwordPolicy == DeclaredPool.PasswordPolicy())
    }

    @Test(
        "an element of a list that is not there cannot be overridden",
        arguments: ["'Schema.7.Mutable', false", "'Schema.x', 1", "'UsernameAttributes.5', 'email'"])
    func missingElements(override: String) {
        let reading = Self.read("cfnUserPool.addPropertyOverride(\(override));")
        #expect(reading.isRefused && reading.diagnostics.contains { $0.message.contains("to override") })
    }

    @Test("without a word of the program the pool is as Amplify makes it")
    func usual() throws {
        let pool = try #require(Self.read("").auth).pool
        #expect(pool.signInFlows == ["ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"])
        #expect(pool.addressesProvedFirst == ["email"] && pool.recovery == .emailOnly)
        #expect(pool.writeAttributes == nil && pool.readAttributes == nil && pool.devices == nil)
        #expect(pool.allowsSelfSignUp && pool.tellsOfUsers == false)
    }

    @Test(
        "flows have their names of the first years, too",
        arguments: [
            ("[]", ["ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"]),
            ("['CUSTOM_AUTH_FLOW_ONLY']", ["ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]),
            (
                "['USER_PASSWORD_AUTH']",
                [
                    "ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH",
                    "ALLOW_USER_PASSWORD_AUTH",
                ]
            ),
        ])
    func flows(written: String, flows: [String]) throws {
        let reading = Self.read("cfnUserPoolClient.explicitAuthFlows = \(written);")
        #expect(try #require(reading.auth).pool.signInFlows == flows)
    }
}
