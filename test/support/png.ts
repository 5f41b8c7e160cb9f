import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, sum]);
};

type Picture = { width: number; height: number; pixels?: Buffer };

/** A PNG with transparency. `pixels` are those of its data, which may be others than its size says. */
export function pngOf({ width, height, pixels = Buffer.alloc(height * (1 + 4 * width), 0x5a) }: Picture): Buffer {
  const rows = Buffer.from(pixels);
  for (let at = 0; at < rows.length; at += 1 + 4 * width) rows[at] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
