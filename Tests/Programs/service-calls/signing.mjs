// Signature Version 4, as far as a function needs it that has no SDK: requests and links.
import { createHash, createHmac } from 'node:crypto';

const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token, AWS_REGION: region } = process.env;
const base = process.env.AWS_ENDPOINT_URL;

const hash = (data) => createHash('sha256').update(data).digest('hex');
const code = (key, data) => createHmac('sha256', key).update(data).digest();
const escape = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());
const time = () => new Date().toISOString().replace(/[-:]|\.\d+/g, '');

function signature(date, service, canonical) {
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const key = scope.split('/').reduce(code, 'AWS4' + secret);
  return { scope, text: code(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash(canonical)}`).toString('hex') };
}

const queryOf = (parameters) =>
  Object.entries(parameters).map(([name, value]) => `${escape(name)}=${escape(value)}`).sort().join('&');

// S3 signs a path as it is sent; the other services sign it encoded once more.
const signedPath = (service, path) => (service === 's3' ? path : path.split('/').map(escape).join('/'));

/// What a service answers: its status, its head and its body as text.
export async function call(service, { method = 'POST', path = '/', query = {}, headers = {}, body = '' }) {
  const date = time();
  const fields = {
    host: new URL(base).host, 'x-amz-date': date, 'x-amz-security-token': token, 'x-amz-content-sha256': hash(body), ...headers,
  };
  const names = Object.keys(fields).sort();
  const canonical = [
    method, signedPath(service, path), queryOf(query), ...names.map((name) => `${name}:${fields[name]}`), '', names.join(';'), hash(body),
  ].join('\n');
  const { scope, text } = signature(date, service, canonical);
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${text}`;
  const { host, ...sent } = fields;
  const url = base + path + (Object.keys(query).length ? `?${queryOf(query)}` : '');
  const answer = await fetch(url, { method, headers: { ...sent, authorization }, body: body.length ? body : undefined });
  return { status: answer.status, head: answer.headers, text: await answer.text() };
}

/// A call with a target and JSON.
export async function json(service, target, input, version = '1.1') {
  const answer = await call(service, {
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target }, body: JSON.stringify(input),
  });
  return { ...answer, value: answer.text ? JSON.parse(answer.text) : {} };
}

/// A call as a form.
export const form = (service, parameters) =>
  call(service, { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body: queryOf(parameters) });

/// A link to a file, by which anybody may do that for a time.
export function link(method, path, seconds = 60) {
  const date = time();
  const parameters = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256', 'X-Amz-Credential': `${id}/${date.slice(0, 8)}/${region}/s3/aws4_request`, 'X-Amz-Date': date,
    'X-Amz-Expires': String(seconds), 'X-Amz-Security-Token': token, 'X-Amz-SignedHeaders': 'host',
  };
  const canonical = [method, path, queryOf(parameters), `host:${new URL(base).host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  return `${base}${path}?${queryOf({ ...parameters, 'X-Amz-Signature': signature(date, 's3', canonical).text })}`;
}
