/** The first bytes of a report, by which its format is recognised. */
const HEAD_BYTES = 16 * 1024;

/** The beginning of a report, from its first character that is not white space; '' when it has none. */
export async function readHead(report: AsyncIterable<Uint8Array>, { toItsEnd = false } = {}): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of report) {
    const start = size > 0 ? 0 : chunk.findIndex((byte) => byte > 0x20);
    if (start === -1) continue;
    if (size < HEAD_BYTES) chunks.push(Uint8Array.from(chunk.subarray(start, start + HEAD_BYTES)));
    size += chunk.length - start;
    if (size >= HEAD_BYTES && !toItsEnd) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, HEAD_BYTES)).trimStart();
}
