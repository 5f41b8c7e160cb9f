import { crc32, inflateSync } from 'node:zlib';

export const MAX_LOGO_BYTES = 150 * 1024;
const MAX_SIZE = { width: 1600, height: 800 } as const;

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Values of a pixel by the type of colours: grey, RGB, palette, grey and RGB with transparency. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type Chunk = { type: string; data: Buffer };

/** The chunks of a PNG, as far as they are whole. */
function* chunksIn(file: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return;
    const type = file.toString('latin1', at + 4, at + 8);
    yield { type, data: file.subarray(at + 8, end) };
    if (type === 'IEND') return;
    at = end + 4;
  }
}

/**
 * Why a file is no logo: only a PNG that is whole, and small once it is unpacked, is drawn.
 * @returns undefined for one that writers of reports can draw
 */
export function logoProblem(file: Buffer): string | undefined {
  if (file.length > MAX_LOGO_BYTES) return 'must have at most 150 KB';
  const chunks = [...chunksIn(file)];
  const [head] = chunks;
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE) || head?.type !== 'IHDR' || head.data.length !== 13)
    return 'must be a PNG in base64';
  if (chunks.at(-1)?.type !== 'IEND') return 'must be a whole PNG: the file is cut off or damaged';
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [bits, colours = -1, , , interlace] = head.data.subarray(8);
  const channels = CHANNELS[colours];
  if (width === 0 || height === 0 || width > MAX_SIZE.width || height > MAX_SIZE.height)
    return `must have at most ${MAX_SIZE.width} times ${MAX_SIZE.height} pixels`;
  if (bits !== 8 || channels === undefined || interlace !== 0)
    return 'must be a PNG with 8 bits a colour that is not interlaced';
  if (colours === 3 && !chunks.some(({ type }) => type === 'PLTE')) return 'must be a PNG with its palette';
  return pixelsProblem(chunks, height * (1 + width * channels));
}

function pixelsProblem(chunks: readonly Chunk[], size: number): string | undefined {
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
  try {
    if (inflateSync(packed, { maxOutputLength: size }).length === size) return undefined;
  } catch {
    // what does not unpack, or unpacks to more than its size, is no picture
  }
  return 'must be a whole PNG: its pixels do not unpack to its size';
}
