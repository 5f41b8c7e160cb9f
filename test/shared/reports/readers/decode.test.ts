import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeContent, decodeReport, MAX_INLINE_BYTES } from '#shared/reports/readers/decode.ts';
import { chunked, codeOf, collect } from './reading.ts';

const MB = 1024 * 1024;
const all = async (source: AsyncIterable<Uint8Array>) => Buffer.concat(await collect(source));
const random = Buffer.from(Array.from({ length: 2 * MB }, (_, index) => (index * 2654435761) >>> 13));

describe('content inside a request', () => {
  test.each([
    ['utf8', (text: string) => text],
    ['base64', (text: string) => Buffer.from(text).toString('base64')],
    ['gzip+base64', (text: string) => gzipSync(text).toString('base64')],
  ] as const)('%s gives back what was sent', async (encoding, encode) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        expect((await all(decodeContent(encoding, encode(text)))).toString()).toBe(text);
      }),
    );
  });

  test('base64 with line breaks, without padding or in the URL alphabet is accepted', async () => {
    const bytes = Buffer.from([0xfb, 0xff, 0xbf, 0xfe]);
    for (const text of ['+/+/\r\n/g==\n', '+/+//g', '-_-__g', '+/+//g='])
      expect(await all(decodeContent('base64', text))).toEqual(bytes);
  });

  test.each([
    ['base64', 'abc$', 'invalid_report'],
    ['base64', 'YWJj YQ==YWJj', 'invalid_report'],
    ['base64', 'YWJjY', 'invalid_report'],
    ['base64', '====', 'invalid_report'],
    ['gzip+base64', 'YWJj', 'invalid_report'],
    ['gzip+base64', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2]).toString('base64'), 'truncated_report'],
    ['gzip+base64', gzipSync(random).subarray(0, 5000).toString('base64'), 'truncated_report'],
    ['gzip+base64', damaged(gzipSync(random)).toString('base64'), 'invalid_report'],
  ] as const)('%s %.20s is refused as %s', async (encoding, content, code) => {
    expect(await codeOf(all(decodeContent(encoding, content)))).toBe(code);
  });

  test('a gzip bomb is stopped while it is small', async () => {
    expect(await codeOf(all(decodeContent('gzip+base64', gzipSync(Buffer.alloc(40 * MB)).toString('base64'))))).toBe(
      'too_large',
    );
  });

  test('more than the inline limit is refused whatever its ratio', async () => {
    expect(await codeOf(all(decodeContent('utf8', 'x'.repeat(MAX_INLINE_BYTES + 1))))).toBe('too_large');
  });
});

describe('uploads', () => {
  const upload = (bytes: Uint8Array, maxBytes: number, chunk?: number) =>
    decodeReport({ encoding: 'utf8', maxBytes }, chunked(bytes, chunk)());

  test('a gzip file is recognised automatically, in chunks of any size', async () => {
    for (const size of [1000, 64 * 1024])
      expect((await all(upload(gzipSync(random), 4 * MB, size))).equals(random)).toBe(true);
    const small = gzipSync('abc');
    expect((await all(upload(small, MB, 1))).toString()).toBe('abc');
  });

  test('the limit counts decoded bytes and lets exactly that many pass', async () => {
    expect(await codeOf(all(upload(random, random.length)))).toBe('none');
    expect(await codeOf(all(upload(random, random.length - 1)))).toBe('too_large');
    expect(await codeOf(all(upload(gzipSync(random), random.length - 1)))).toBe('too_large');
  });

  test('an error of the source comes through, and a reader that stops early closes the source', async () => {
    const failing = async function* () {
      yield gzipSync(random).subarray(0, 100);
      throw new Error('connection lost');
    };
    await expect(all(decodeReport({ encoding: 'utf8', maxBytes: MB }, failing()))).rejects.toThrow('connection lost');
    let closed = false;
    const watched = async function* () {
      try {
        yield* chunked(gzipSync(random), 1000)();
      } finally {
        closed = true;
      }
    };
    for await (const _chunk of decodeReport({ encoding: 'utf8', maxBytes: 4 * MB }, watched())) break;
    expect(closed).toBe(true);
  });
});

function damaged(bytes: Buffer): Buffer {
  bytes.fill(0xff, 200, 300);
  return bytes;
}
