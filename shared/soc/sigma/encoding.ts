import type { Modified } from './modifiers.ts';

type Way = { encodes: NonNullable<Modified['encodes']>; widens: Modified['widens'] };

/** A text in Base64: alone, or in each of its three possible forms within a longer text. */
export function encoded(text: string, { encodes, widens }: Way): string[] {
  const bytes = widened(text, widens);
  if (encodes === 'base64') return [bytes.toString('base64')];
  return [0, 1, 2].map((before) => fixedPart(bytes, before));
}

function widened(text: string, widens: Way['widens']): Buffer {
  if (widens === null) return Buffer.from(text, 'utf8');
  const little = Buffer.from(text, 'utf16le');
  if (widens === 'utf16') return Buffer.concat([Buffer.from([0xff, 0xfe]), little]);
  return widens === 'utf16be' ? little.swap16() : little;
}

/** A character of Base64 has 6 bits. Those that also hold bits of other bytes, before or behind, are left out. */
function fixedPart(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
