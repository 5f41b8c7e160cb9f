/*
 * Memory for the bodies of large answers is used again. It is outside of the heap and counts for the garbage collector nevertheless: the
 * 1.5 MB of a page among a million records, as chunks and put together, made it clean the whole heap after each second page.
 */

/** Smaller bodies cost little, and may be many at once. */
const LARGE = 65_536;
/** Room for a body is a multiple of this: an answer with the rows of a mark among a million records fits. */
const ROOM = 524_288;
const KEPT = 4;

const spare: Buffer[] = [];

export type Response = { headers: Record<string, string | undefined>; body: unknown };

/** @param whole reads a body into memory of its own @returns the bytes, until `useAgain` */
export async function readBody(
  { headers, body }: Response,
  whole: (body: unknown) => Promise<Uint8Array>,
): Promise<Buffer> {
  const length = Number(headers['content-length'] ?? 0);
  if (length < LARGE || !isChunked(body)) {
    const { buffer, byteOffset, byteLength } = await whole(body);
    return Buffer.from(buffer, byteOffset, byteLength);
  }
  const bytes = roomFor(length).subarray(0, length);
  let at = 0;
  for await (const chunk of body) {
    bytes.set(chunk, at);
    at += chunk.length;
    giveBack(chunk);
  }
  return bytes.subarray(0, at);
}

/** Gives the memory of a chunk back at once, where it is the chunk's alone: small ones share memory (`Buffer.poolSize`). */
function giveBack({ buffer, length }: Uint8Array): void {
  if (length > Buffer.poolSize >>> 1 && length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

const isChunked = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

function roomFor(length: number): Buffer {
  const n = spare.findIndex((one) => one.length >= length);
  return spare.splice(n, n < 0 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(ROOM * Math.ceil(length / ROOM));
}

/** Gives the memory of a body back, of which nothing refers to the bytes any more. */
export function useAgain({ buffer }: Buffer): void {
  const isRoom = buffer.byteLength >= ROOM && buffer.byteLength % ROOM === 0;
  if (isRoom && spare.length < KEPT) spare.push(Buffer.from(buffer));
}
