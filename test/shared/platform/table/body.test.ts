import { expect, test } from 'vitest';
import { readBody, useAgain } from '#shared/platform/table/io/body.ts';

const whole = async (): Promise<Uint8Array> => expect.fail('a large body of known length is read in chunks');

const answerOf = (text: string, length = text.length) => ({
  headers: { 'content-length': String(length) },
  body: chunksOf(Buffer.from(text)),
});

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 40_000) yield bytes.subarray(at, at + 40_000);
}

test('large answers beside each other and after each other keep their own bytes', async () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f'].map((one, n) => one.repeat(100_000 * (n + 1)));
  for (let round = 0; round < 3; round++) {
    const read = await Promise.all(texts.map((text) => readBody(answerOf(text), whole)));
    expect(read.map(String)).toEqual(texts);
    for (const bytes of read) useAgain(bytes);
  }
  const [held, next] = [
    await readBody(answerOf(texts[5] ?? ''), whole),
    await readBody(answerOf(texts[0] ?? ''), whole),
  ];
  expect([held, next].map(String)).toEqual([texts[5], texts[0]]);
});

test('an answer that is longer than it says is refused, and a small one is read by the client', async () => {
  await expect(readBody(answerOf('x'.repeat(700_000), 600_000), whole)).rejects.toThrow(RangeError);
  expect(String(await readBody({ headers: {}, body: 'small' }, async () => Buffer.from('small')))).toBe('small');
});
