import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';

let got: { headers: IncomingHttpHeaders; body: string };
const server = createServer(async (message, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  got = { headers: message.headers, body: Buffer.concat(chunks).toString() };
  response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const get = (sk: string) => new GetItemCommand({ TableName: 'exposure', Key: { pk: { S: 'a' }, sk: { S: sk } } });

/** The SDK's own signature of the request that arrived, at its time. */
async function signatureOfSdk(config: { credentials: object; region: string }) {
  const { signer } = new DynamoDBClient(config as never).config;
  const { headers, body } = got;
  const time = String(headers['x-amz-date']);
  const signed = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1]?.split(';') ?? [];
  const given = Object.fromEntries(signed.map((name) => [name, String(headers[name])]));
  const request = { method: 'POST', protocol: 'http:', hostname: '', path: '/', query: {}, headers: given, body };
  const signingDate = new Date(time.replace(/^(.{4})(..)(.{5})(..)(..)Z$/, '$1-$2-$3:$4:$5Z'));
  return (await (await signer()).sign(request as never, { signingDate })).headers.authorization;
}

test.each([
  { of: 'a user', region: 'eu-central-1', credentials: keys },
  {
    of: 'a function, with a session',
    region: 'us-east-1',
    credentials: { ...keys, sessionToken: 'IQoJb3JpZ2luX2VjE//+=' },
  },
])('a request of $of is signed as the SDK signs it', async ({ region, credentials }) => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { client } = openDynamo('exposure', { endpoint, region, credentials });
  for (const text of ['b', 'ümlaut 🙂', '']) {
    await client.send(get(text) as never);
    expect(got.headers.authorization).toBe(await signatureOfSdk({ region, credentials }));
    expect(got.headers.authorization).toContain('content-type;host;x-amz-content-sha256;x-amz-date');
    expect(got.headers['x-amz-security-token']).toBe(
      'sessionToken' in credentials ? credentials.sessionToken : undefined,
    );
  }
  client.destroy();
});

test('a request after the credentials have changed is signed with the new ones', async () => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const changing = { ...keys, expiration: new Date(Date.now() + 1_000) };
  const region = 'eu-central-1';
  const { client } = openDynamo('exposure', { endpoint, region, credentials: async () => ({ ...changing }) });
  await client.send(get('b') as never);
  const former = await signatureOfSdk({ region, credentials: keys });
  expect(got.headers.authorization).toBe(former);
  changing.secretAccessKey = 'another';
  await client.send(get('b') as never);
  expect(got.headers.authorization).toBe(
    await signatureOfSdk({ region, credentials: { ...keys, secretAccessKey: 'another' } }),
  );
  client.destroy();
});
