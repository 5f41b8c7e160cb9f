import { gzipSync } from 'node:zlib';
import type { Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { lambdaContext } from '#local/lambda-context.ts';
import { bodyParser } from '#shared/platform/http/body.ts';
import { bodySize, MAX_BODY_BYTES, MAX_PUBLIC_BODY_BYTES, MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { takesFile } from '#shared/platform/http/file-body.ts';
import type { Incoming, Result } from '#shared/platform/http/incoming.ts';
import type { Route } from '#shared/platform/http/route.ts';

const route = { method: 'POST', path: '/things', summary: '-', response: z.object({}) } as const;

type Sent = {
  headers?: Record<string, string>;
  base64?: boolean;
  form?: boolean;
  access?: Route['access'];
  signed?: true;
  maxBody?: number;
};

const steps = (event: Incoming): void => {
  const request: Request<Incoming, Result> = {
    event,
    context: lambdaContext('test', 29),
    response: undefined,
    error: undefined,
    internal: {},
  };
  for (const { before } of [bodySize, bodyParser]) before?.(request);
};

/** The value that the pipeline hands on for a body. */
function parsed(
  sent: string,
  { headers = {}, base64 = false, form = false, access = { role: 'viewer' }, signed, maxBody }: Sent = {},
): unknown {
  const event: Incoming = {
    ...({ body: sent, headers, isBase64Encoded: base64 } as APIGatewayProxyEventV2),
    match: { name: 'createThing', route: { ...route, form, access, signed, maxBody }, params: {} },
    sent,
  };
  steps(event);
  if (!signed) return event.value;
  expect(event.value, 'nothing is parsed before its signature is proven').toBeUndefined();
  return event.readBody?.();
}
const type = (value: string): Sent => ({ headers: { 'content-type': value } });
const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const ofBytes = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

describe('a body is understood', () => {
  test.each<[string, unknown, string, Sent]>([
    ['without a media type', { a: 1 }, '{"a":1}', {}],
    ['with a character set after a blank', { a: 1 }, '{"a":1}', type('Application/JSON ; charset=utf-8')],
    ['of a JSON media type of its own', { a: 1 }, '{"a":1}', type('application/scim+json')],
    ['encoded by the gateway', { a: 'ü' }, Buffer.from('{"a":"ü"}').toString('base64'), { base64: true }],
    ['sent with the coding identity', [1], '[1]', { headers: { 'content-encoding': 'identity' } }],
    ['that is null', null, 'null', {}],
    ['sent with the coding identity between blanks', [1], '[1]', { headers: { 'content-encoding': ' Identity ' } }],
    ['that is missing', undefined, '', type('text/plain')],
    ['that is missing, whatever its coding', undefined, '', { headers: { 'content-encoding': 'gzip' } }],
    ['with 30 objects in each other', JSON.parse(objects(30)), objects(30), {}],
    ['with a constructor of another kind', { constructor: { a: 1 } }, '{"constructor":{"a":1}}', {}],
    ['with a constructor that is a text', [{ constructor: 'ACME' }], '[{"constructor":"ACME"}]', {}],
    ['that names a prototype by itself', { prototype: 1 }, '{"prototype":1}', {}],
    ['at 30 levels', JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`), `${'['.repeat(30)}${']'.repeat(30)}`, {}],
  ])('%s', (_, value, sent, how) => {
    expect(parsed(sent, how)).toEqual(value);
  });

  test('a form where the route takes one, and JSON on the same route', () => {
    const form = { form: true, ...type('application/x-www-form-urlencoded; charset=utf-8') };
    expect(parsed('grant_type=client_credentials&scope=', form)).toEqual({ grant_type: 'client_credentials' });
    expect(parsed('{"a":1}', { ...form, ...type('application/json') })).toEqual({ a: 1 });
    expect(() => parsed('a=1&a=2', form)).toThrow(refused('invalid_request', /^Send a only once\.$/));
  });
});

describe('a body may have as many bytes as it may, and not one more', () => {
  test.each<[string, number, Sent]>([
    ['with a credential', 1_048_576, {}],
    ['without a credential', 65_536, { access: 'public' }],
    ['of a report', 4_194_304, { maxBody: MAX_REPORT_BYTES }],
    ['that its sender signed', 4_194_304, { access: 'public', signed: true, maxBody: MAX_REPORT_BYTES }],
  ])('%s', (_, most, how) => {
    expect(parsed(ofBytes(most), how)).toHaveLength(most - 2);
    expect(() => parsed(ofBytes(most + 1), how)).toThrow(refused('payload_too_large', /^The body is over /));
  });

  test('counted as they were sent: a character may have several, and base64 is not counted', () => {
    expect(() => parsed(`"${'ü'.repeat(MAX_PUBLIC_BODY_BYTES / 2)}"`, { access: 'public' })).toThrow(
      refused('payload_too_large', /over 64 KB/),
    );
    const encoded = Buffer.from(ofBytes(MAX_PUBLIC_BODY_BYTES)).toString('base64');
    expect(parsed(encoded, { access: 'public', base64: true })).toHaveLength(MAX_PUBLIC_BODY_BYTES - 2);
  });
});

describe('a file as the body, where the route takes one', () => {
  const query = z.object({ waitSeconds: z.number() });
  const body = z.object({ format: z.string(), content: z.string() });
  const file = takesFile(z.object({ format: z.string(), waitSeconds: z.number() }), body);
  const sent = (text: string, how: { headers: Record<string, string>; base64?: boolean }) => {
    const event: Incoming = {
      ...({ body: text, headers: how.headers, isBase64Encoded: how.base64 ?? false } as APIGatewayProxyEventV2),
      match: { name: 'import', route: { ...route, query, file, body, access: { role: 'viewer' } }, params: {} },
      query: { format: 'auto', waitSeconds: 3 },
      sent: text,
    };
    steps(event);
    return event.value;
  };

  test.each(['application/sarif+json', 'text/csv; charset=utf-8', 'application/x-www-form-urlencoded'])(
    '%s is its text',
    (media) => {
      const value = { format: 'auto', content: 'title,severity', encoding: 'utf8' };
      expect(sent('title,severity', { headers: { 'content-type': media } })).toEqual(value);
    },
  );

  test('of bytes is base64, and gzip is seen with and without its Content-Encoding', () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const bytes = Buffer.from('<a/>').toString('base64');
    expect(sent(bytes, { headers, base64: true })).toMatchObject({ content: bytes, encoding: 'base64' });
    const packed = gzipSync('<a/>').toString('base64');
    const codings: Record<string, string>[] = [{}, { 'content-encoding': 'gzip' }];
    for (const coding of codings)
      expect(sent(packed, { headers: { ...headers, ...coding }, base64: true })).toMatchObject({
        content: packed,
        encoding: 'base64',
      });
  });

  test('JSON is the body of the operation, and the refusal of a report sent as JSON says how to send it', () => {
    const headers = { 'content-type': 'application/json' };
    expect(sent('{"content":"{}"}', { headers })).toEqual({ format: 'auto', content: '{}' });
    const told = refused('validation_failed', /report itself as the body, name another Content-Type/);
    for (const report of ['{"version":"2.1.0","runs":[]}', '[]', 'null'])
      expect(() => sent(report, { headers })).toThrow(told);
  });
});

describe('a body is refused', () => {
  test.each<[string, string, RegExp, string, Sent]>([
    ['that breaks off', 'malformed_json', /^The body is not JSON\.?/, '{"a":', {}],
    ['with its position, not its text', 'malformed_json', /JSON at position 5 \(line 1 column 6\)\.$/, '{"a" 1}', {}],
    ['with a byte order mark', 'malformed_json', /^The body is not JSON/, '\ufeff{}', {}],
    ['of another media type', 'unsupported_media_type', /Send JSON .* not text\/json/, '{}', type('text/json')],
    ['of a media type like JSON', 'unsupported_media_type', /application\/jsonl/, '{}', type('application/jsonl')],
    [
      'that is a form on another route',
      'unsupported_media_type',
      /Send JSON/,
      'a=1',
      type('application/x-www-form-urlencoded'),
    ],
    [
      'that is compressed',
      'unsupported_media_type',
      /Content-Encoding gzip/,
      'x',
      { headers: { 'content-encoding': 'gzip' } },
    ],
    ['over 1 MB', 'payload_too_large', /over 1 MB: send only/, `"${'x'.repeat(MAX_BODY_BYTES)}"`, {}],
    [
      'over 4 MB',
      'payload_too_large',
      /over 4 MB.*upload/,
      `"${'x'.repeat(MAX_REPORT_BYTES)}"`,
      { maxBody: MAX_REPORT_BYTES },
    ],
    [
      'over 64 KB without a credential',
      'payload_too_large',
      /over 64 KB/,
      `"${'x'.repeat(MAX_PUBLIC_BODY_BYTES)}"`,
      { access: 'public' },
    ],
    [
      'over 64 KB once decoded',
      'payload_too_large',
      /over 64 KB/,
      Buffer.alloc(MAX_PUBLIC_BODY_BYTES + 1, 'x').toString('base64'),
      { access: 'public', base64: true },
    ],
    ['at 31 levels', 'validation_failed', /nested more than 30 levels/, `${'['.repeat(31)}${']'.repeat(31)}`, {}],
    ['with 31 objects in each other', 'validation_failed', /nested more than 30/, objects(31), {}],
    ['with half a character', 'validation_failed', /\\ud800|character/i, '{"a":["\\ud800"]}', {}],
    [
      'deeper than the stack',
      'validation_failed',
      /nested more than 30 levels/,
      `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
      {},
    ],
    [
      'with a field that changes all objects',
      'validation_failed',
      /__proto__.*leave it out/,
      '{"a":{"__proto__":{}}}',
      {},
    ],
    ['with a constructor that does', 'validation_failed', /constructor/, '{"constructor":{"prototype":{}}}', {}],
  ])('%s', (_, code, message, sent, how) => {
    expect(() => parsed(sent, how)).toThrow(refused(code, message));
  });
});

test('half a character is refused with its place, and a body that is one as the body', () => {
  const refusal = (path: string) => expect.objectContaining({ details: [expect.objectContaining({ path })] });
  expect(() => parsed('{"a":["x","\\ud800"]}')).toThrow(refusal('a.1'));
  expect(() => parsed('"\\ud800"')).toThrow(refusal('body'));
});
