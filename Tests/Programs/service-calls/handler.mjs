// Calls every service that is served, as functions of apps do, and tells what each answered.
import { call, form, json, link } from './signing.mjs';

const { TODO, BUCKET, POOL, QUEUE_URL, OTHER, STRIPE } = process.env;

const items = (operation, input) => json('dynamodb', `DynamoDB_20120810.${operation}`, input, '1.0');
const users = (operation, input) => json('cognito-idp', `AWSCognitoIdentityProviderService.${operation}`, { UserPoolId: POOL, ...input });
const queue = (operation, input) => json('sqs', `AmazonSQS.${operation}`, { QueueUrl: QUEUE_URL, ...input }, '1.0');
const file = (method, key, more = {}) => call('s3', { method, path: `/${BUCKET}/${key}`, ...more });

const item = (id, n) => ({ id: { S: id }, text: { S: `text ${n}` }, __typename: { S: 'Todo' },
  createdAt: { S: '2026-01-01T00:00:00.000Z' }, updatedAt: { S: '2026-01-01T00:00:00.000Z' } });

const steps = {
  dynamodb: async (told) => {
    told('PutItem', await items('PutItem', { TableName: TODO, Item: item('a', 1) }));
    told('UpdateItem', await items('UpdateItem', {
      TableName: TODO, Key: { id: { S: 'a' } }, UpdateExpression: 'SET #t = :t', ExpressionAttributeNames: { '#t': 'text' },
      ExpressionAttributeValues: { ':t': { S: 'changed' } }, ReturnValues: 'ALL_NEW' }), (v) => v.Attributes.text.S);
    told('GetItem', await items('GetItem', { TableName: TODO, Key: { id: { S: 'a' } } }), (v) => v.Item.text.S);
    told('BatchWriteItem', await items('BatchWriteItem', { RequestItems: { [TODO]: [{ PutRequest: { Item: item('b', 2) } }] } }));
    told('TransactWriteItems', await items('TransactWriteItems', { TransactItems: [{ Put: { TableName: TODO, Item: item('c', 3) } }] }));
    told('BatchGetItem', await items('BatchGetItem', { RequestItems: { [TODO]: { Keys: [{ id: { S: 'b' } }] } } }), (v) => v.Responses[TODO].length);
    told('Scan', await items('Scan', { TableName: TODO }), (v) => v.Count);
    told('Query', await items('Query', {
      TableName: TODO, KeyConditionExpression: 'id = :i', ExpressionAttributeValues: { ':i': { S: 'c' } } }), (v) => v.Count);
    told('DeleteItem', await items('DeleteItem', { TableName: TODO, Key: { id: { S: 'c' } } }));
    told('ListTables', await items('ListTables', {}), (v) => v.TableNames.includes(TODO));
  },
  s3: async (told) => {
    told('PutObject', await file('PUT', 'in/a%20b.txt', { headers: { 'content-type': 'text/plain' }, body: 'hello' }));
    const got = await file('GET', 'in/a%20b.txt');
    told('GetObject', got, () => got.text);
    const head = await file('HEAD', 'in/a%20b.txt');
    told('HeadObject', head, () => head.head.get('content-length'));
    told('CopyObject', await file('PUT', 'in/copy.txt', { headers: { 'x-amz-copy-source': `/${BUCKET}/in/a%20b.txt` } }));
    const listed = await call('s3', { method: 'GET', path: `/${BUCKET}`, query: { 'list-type': '2', prefix: 'in/' } });
    told('ListObjectsV2', listed, () => listed.text.match(/<Key>/g).length);
    const linked = await fetch(link('GET', `/${BUCKET}/in/copy.txt`));
    const text = await linked.text();
    told('a link', { status: linked.status }, () => text);
    const put = await fetch(link('PUT', `/${BUCKET}/in/linked.txt`), { method: 'PUT', body: 'by link' });
    told('a link to put', { status: put.status });
    told('DeleteObject', await file('DELETE', 'in/copy.txt'));
    told('another folder', await file('GET', 'out/x.txt'));
  },
  cognito: async (told) => {
    const name = { Username: 'zoe@app.example' };
    told('AdminCreateUser', await users('AdminCreateUser', {
      ...name, MessageAction: 'SUPPRESS', UserAttributes: [{ Name: 'email', Value: name.Username }] }), (v) => v.User.UserStatus);
    told('AdminSetUserPassword', await users('AdminSetUserPassword', { ...name, Password: 'Passw0rd!', Permanent: true }));
    told('CreateGroup', await users('CreateGroup', { GroupName: 'staff' }));
    told('GetGroup', await users('GetGroup', { GroupName: 'staff' }), (v) => v.Group.GroupName);
    told('AdminAddUserToGroup', await users('AdminAddUserToGroup', { ...name, GroupName: 'staff' }));
    told('AdminListGroupsForUser', await users('AdminListGroupsForUser', name), (v) => v.Groups.map((g) => g.GroupName).join());
    told('ListUsersInGroup', await users('ListUsersInGroup', { GroupName: 'staff' }), (v) => v.Users.length);
    told('AdminUpdateUserAttributes', await users('AdminUpdateUserAttributes', {
      ...name, UserAttributes: [{ Name: 'name', Value: 'Zoe' }] }));
    told('AdminGetUser', await users('AdminGetUser', name), (v) => v.UserAttributes.find((a) => a.Name === 'name').Value);
    told('AdminDisableUser', await users('AdminDisableUser', name));
    told('AdminEnableUser', await users('AdminEnableUser', name));
    told('ListUsers', await users('ListUsers', { Filter: `email = "${name.Username}"` }), (v) => v.Users.length);
    told('ListGroups', await users('ListGroups', {}), (v) => v.Groups.length);
    told('AdminUserGlobalSignOut', await users('AdminUserGlobalSignOut', name));
    told('AdminRemoveUserFromGroup', await users('AdminRemoveUserFromGroup', { ...name, GroupName: 'staff' }));
    told('DeleteGroup', await users('DeleteGroup', { GroupName: 'staff' }));
    told('AdminDeleteUser', await users('AdminDeleteUser', name));
  },
  queues: async (told) => {
    told('SendMessage', await queue('SendMessage', { MessageBody: 'told' }));
    told('SendMessageBatch', await queue('SendMessageBatch', { Entries: [{ Id: '1', MessageBody: 'more' }] }), (v) => v.Successful.length);
    const { value } = await queue('ReceiveMessage', { MaxNumberOfMessages: 10 });
    told('ReceiveMessage', { status: 200, value }, (v) => v.Messages.map((m) => m.Body).sort().join());
    for (const { ReceiptHandle } of value.Messages ?? []) told('DeleteMessage', await queue('DeleteMessage', { ReceiptHandle }));
    told('PutEvents', await json('events', 'AWSEvents.PutEvents', {
      Entries: [{ Source: 'app', DetailType: 'Ordered', Detail: '{}' }] }), (v) => v.FailedEntryCount);
  },
  mail: async (told) => {
    const to = { 'Destination.ToAddresses.member.1': 'eve@app.example', Source: 'app@app.example' };
    told('SendEmail', await form('ses', {
      Action: 'SendEmail', 'Message.Subject.Data': 'one', 'Message.Body.Text.Data': 'x', ...to }));
    const raw = Buffer.from('From: app@app.example\nTo: eve@app.example\nSubject: raw\n\nx').toString('base64');
    told('SendRawEmail', await form('ses', { Action: 'SendRawEmail', 'RawMessage.Data': raw }));
    told('SendEmail of version 2', await call('ses', {
      path: '/v2/email/outbound-emails', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ FromEmailAddress: 'app@app.example', Destination: { ToAddresses: ['eve@app.example'] },
        Content: { Simple: { Subject: { Data: 'two' }, Body: { Text: { Data: 'x' } } } } }) }));
    told('Publish', await form('sns', { Action: 'Publish', PhoneNumber: '+15550001111', Message: 'three' }));
    told('another sender', await form('ses', {
      Action: 'SendEmail', 'Message.Subject.Data': 'one', 'Message.Body.Text.Data': 'x', ...to, Source: 'boss@bank.example' }));
  },
  others: async (told) => {
    told('PutParameter', await json('ssm', 'AmazonSSM.PutParameter', { Name: '/app/limit', Value: '7', Type: 'String' }));
    told('GetParameter', await json('ssm', 'AmazonSSM.GetParameter', { Name: '/app/limit' }), (v) => v.Parameter.Value);
    told('a secret by its name', await json('ssm', 'AmazonSSM.GetParameters', {
      Names: ['/amplify/shared/app/STRIPE'], WithDecryption: true }), (v) => v.Parameters[0].Value === STRIPE);
    told('GetSecretValue', await json('secretsmanager', 'secretsmanager.GetSecretValue', { SecretId: 'mine' }), (v) => v.SecretString);
    told('the secret of another', await json('secretsmanager', 'secretsmanager.GetSecretValue', { SecretId: 'theirs' }));
    const invoked = await call('lambda', {
      path: `/2015-03-31/functions/${OTHER}/invocations`, headers: { 'content-type': 'application/json' }, body: '{"step":"echo"}' });
    told('Invoke', invoked, () => invoked.text);
    const model = (operation, input) => call('bedrock', {
      path: `/model/maker.model-v1%3A0/${operation}`, headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(input) });
    const said = await model('converse', { messages: [{ role: 'user', content: [{ text: 'hi' }] }] });
    told('Converse', said, () => JSON.parse(said.text).stopReason);
    const message = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
    told('InvokeModel', await model('invoke', message));
  },
};

export async function handler(event) {
  // Within a sign-up: what Amplify's `add-to-group` does.
  if (event.triggerSource) {
    const group = await users('GetGroup', { GroupName: 'members' });
    if (group.status !== 200) await users('CreateGroup', { GroupName: 'members' });
    const added = await users('AdminAddUserToGroup', { Username: event.userName, GroupName: 'members' });
    if (added.status !== 200) throw new Error(added.text);
    return event;
  }
  if (event.step === 'echo') return 'echoed';
  const results = {};
  const told = (name, answer, more) => {
    const isGood = answer.status >= 200 && answer.status < 300;
    results[name] = isGood ? `${answer.status} ${more ? more(answer.value) : ''}`.trim() : `${answer.status} ${answer.text ?? ''}`;
  };
  await steps[event.step](told);
  return results;
}
