import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive with these files: name -> text. */
export function zipWith(files: Readonly<Record<string, string>>): Buffer {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []];
  const all = Object.entries(files);
  let offset = 0;
  for (const [path, content] of all) {
    const [name, text] = [Buffer.from(path), Buffer.from(content)];
    const packed = deflateRawSync(text);
    const about = Buffer.alloc(22);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(text), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(text.length, 18);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(name.length, 0);
    const place = Buffer.alloc(16);
    place.writeUInt32LE(offset, 12);
    central.push(Buffer.from('PK\x01\x02\x14\x00'), about, lengths.subarray(0, 2), place, name);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, lengths, name, packed]);
    offset += local.length;
    locals.push(local);
  }
  const [body, directory] = [Buffer.concat(locals), Buffer.concat(central)];
  const end = Buffer.alloc(18);
  end.writeUInt16LE(all.length, 4);
  end.writeUInt16LE(all.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(body.length, 12);
  return Buffer.concat([body, directory, Buffer.from('PK\x05\x06'), end]);
}
