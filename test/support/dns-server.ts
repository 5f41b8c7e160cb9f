import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 0x8183;
const ANSWERED = 0x8180;

/** A name server on the loopback that knows these TXT records (RFC 1035). */
export async function startDnsServer(records: ReadonlyMap<string, readonly string[]>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, HEADER_BYTES) + 5;
    const question = query.subarray(HEADER_BYTES, end);
    const texts = records.get(nameIn(question)) ?? [];
    const head = Buffer.alloc(HEADER_BYTES);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(texts.length > 0 ? ANSWERED : NO_SUCH_NAME, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(texts.length, 6);
    socket.send(Buffer.concat([head, question, ...texts.map(answer)]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { address, port } = socket.address();
  return { address: `${address}:${port}`, stop: () => void socket.close() };
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0, length = question[0] ?? 0; length > 0; at += length + 1, length = question[at] ?? 0)
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
  return labels.join('.').toLowerCase();
}

/** One record, which names the question's name by a pointer; its text is cut into parts of 20 bytes. */
function answer(text: string): Buffer {
  const parts = text.match(/.{1,20}/g) ?? [];
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
