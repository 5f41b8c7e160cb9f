import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const [deflate, inflate] = [promisify(gzip), promisify(gunzip)];

/** @param level 1 (fastest) to 9 (smallest) */
export const zipped = (text: string, level = 6): Promise<Buffer> => deflate(text, { level });

/** @throws when the bytes are not whole */
export const unzipped = async (bytes: Uint8Array): Promise<string> => (await inflate(bytes)).toString('utf8');
