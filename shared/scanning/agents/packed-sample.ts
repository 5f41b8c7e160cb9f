import type { Sample } from './agent.ts';

/** Samples are stored in blocks of a quarter of an hour. */
export const BLOCK_SECONDS = 900;

/** A sample with its time in seconds since the epoch. */
export type Measured = Omit<Sample, 'at'> & { at: number };

/**
 * 18 bytes: three shares in hundredths of a percent (2 bytes each), two numbers of bytes (6 each). All ones means no
 * value.
 */
const SIZE = 18;
const NO_SHARE = 0xff_ff;
const NO_BYTES = 2 ** 48 - 1;
/** No network card moves 1 TB in a minute. */
const MAX_BYTES = 1e12;

const within = (value: number, max: number): number => Math.min(Math.max(Math.round(value), 0), max);
const share = (value: number | null | undefined): number => (value == null ? NO_SHARE : within(value * 100, 10_000));
const bytes = (value: number | null | undefined): number => (value == null ? NO_BYTES : within(value, MAX_BYTES));

export function packMeasured({ cpuPercent, memoryPercent, diskPercent, rxBytes, txBytes }: Measured): Uint8Array {
  const packed = Buffer.alloc(SIZE);
  for (const [n, value] of [cpuPercent, memoryPercent, diskPercent].entries())
    packed.writeUInt16BE(share(value), n * 2);
  for (const [n, value] of [rxBytes, txBytes].entries()) packed.writeUIntBE(bytes(value), 6 + n * 6, 6);
  return packed;
}

export function unpackMeasured(at: number, packed: Uint8Array): Measured {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const shareAt = (offset: number) => present(buffer.readUInt16BE(offset), NO_SHARE, 100);
  const bytesAt = (offset: number) => present(buffer.readUIntBE(offset, 6), NO_BYTES, 1);
  return {
    at,
    cpuPercent: shareAt(0),
    memoryPercent: shareAt(2),
    diskPercent: shareAt(4),
    rxBytes: bytesAt(6),
    txBytes: bytesAt(12),
  };
}

const present = (value: number, none: number, unit: number): number | null => (value === none ? null : value / unit);
