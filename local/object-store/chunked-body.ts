import { S3Error } from './s3-error.ts';

const endOfLine = '\r\n';

/**
 * Removes the `aws-chunked` framing from a streaming body: `<hex size>[;extension]\r\n<data>\r\n`, a chunk of size 0,
 * then trailing headers such as the checksum, which are collected in `trailers`.
 */
export async function* decodeChunks(source: AsyncIterable<Buffer>, trailers: Map<string, string>) {
  const reader = lineReader(source);
  for (;;) {
    const size = Number.parseInt(await reader.line(), 16);
    if (Number.isNaN(size)) throw new S3Error(400, 'IncompleteBody', 'The body is not a valid sequence of chunks.');
    if (size === 0) break;
    yield* reader.bytes(size);
    await reader.line();
  }
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    const separator = line.indexOf(':');
    trailers.set(line.slice(0, separator).trim().toLowerCase(), line.slice(separator + 1).trim());
  }
}

function lineReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const { value, done } = await iterator.next();
    if (done) return false;
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return true;
  }

  return {
    /** The next line; the end of the body counts as an empty one. */
    async line(): Promise<string> {
      while (!rest.includes(endOfLine)) if (!(await more())) return '';
      const end = rest.indexOf(endOfLine);
      const text = rest.toString('latin1', 0, end);
      rest = rest.subarray(end + endOfLine.length);
      return text;
    },
    async *bytes(size: number) {
      for (let missing = size; missing > 0; ) {
        if (rest.length === 0 && !(await more())) throw new S3Error(400, 'IncompleteBody', 'The body broke off.');
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        missing -= part.length;
        yield part;
      }
    },
  };
}
