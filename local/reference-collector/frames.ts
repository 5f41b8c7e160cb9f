/** A longer message is taken in pieces, so that no sender fills the memory. */
const MAX_MESSAGE = 256 * 1024;
/** The bytes that show a length: six digits, a space and the beginning of a message. */
const HEAD = 8;

type Frame = { from: number; to: number; next: number };

/** Splits a stream into messages: each behind its length (RFC 5425; RFC 6587, section 3.4.1), or a line each. */
export function framesOf(take: (message: string) => void) {
  let held: Buffer = Buffer.alloc(0);
  const taken = (message: Buffer) => {
    const text = message.toString('utf8').trimEnd();
    if (text !== '') take(text);
  };
  return {
    add(chunk: Buffer): void {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (let frame = frameIn(held); frame; frame = frameIn(held)) {
        taken(held.subarray(frame.from, frame.to));
        held = held.subarray(frame.next);
      }
    },
    /** The sender closed the connection: no more of the last message comes. */
    end: (): void => taken(held),
  };
}

/** The first message, once it is whole. */
function frameIn(held: Buffer): Frame | undefined {
  const [head, length] = /^([1-9]\d{0,5}) (?=<)/.exec(held.subarray(0, HEAD).toString('latin1')) ?? [];
  const counted = Number(length);
  if (head !== undefined && counted <= MAX_MESSAGE) {
    const [from, to] = [head.length, head.length + counted];
    return held.length >= to ? { from, to, next: to } : undefined;
  }
  const end = held.indexOf(0x0a);
  if (end >= 0 && end <= MAX_MESSAGE) return { from: 0, to: end, next: end + 1 };
  return held.length > MAX_MESSAGE ? { from: 0, to: MAX_MESSAGE, next: MAX_MESSAGE } : undefined;
}
