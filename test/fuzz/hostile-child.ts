import { writeSync } from 'node:fs';
import * as z from 'zod';
import { DetectionTest } from '#functions/soc/detection-rules/routes.ts';
import { tryRule } from '#functions/soc/detection-rules/try-rule.ts';
import { assertCondition, conditionCompiler, seenAsset } from '#shared/exposure/asset-rules/condition.ts';
import { AssetCondition } from '#shared/platform/filter/schema.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import { decodeReport, MAX_INLINE_BYTES } from '#shared/reports/readers/decode.ts';
import { ReportError } from '#shared/reports/report/report.ts';
import { type BatchRow, eventsOf, readBatch } from '#shared/soc/siem/batches.ts';
import { BATCH_FORMATS } from '#shared/soc/siem/event.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { dice } from '../support/faults.ts';
import { type Hostile, hostileInput } from './hostile-inputs.ts';
import { readReports } from './reports.ts';

/**
 * A process that reads hostile inputs as the workers do: its parent limits its memory and sees whether it lives. The number of
 * the input that is being read stands in a file, because it must survive the process.
 */
export type Order = { seed: number; from: number; to: number; input?: Hostile };
export type Fault = { n: number; what: string };
/** Figures over their limits stand apart: the process has read other inputs, and has made this one itself. */
export type Outcome = Record<'faults' | 'over', Fault[]> & Record<'refused' | 'read' | 'slowestMs' | 'mostMb', number>;

const PROGRESS_FD = 4;
const MAX_MS = 2_000;
const MAX_MB = 512;

const reports = readReports(undefined);

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 262_144) yield bytes.subarray(at, at + 262_144);
}

const ASSET: Parameters<typeof seenAsset>[0] = {
  type: 'host',
  value: 'a'.repeat(300),
  name: 'ab'.repeat(150),
  zone: 'office',
  firstSeenAt: '2026-01-15T08:00:00.000Z',
  aliases: ['aab'.repeat(90), '10.0.0.7', '2001:db8::7'].map((value) => ({ value })),
  cloud: null,
  os: null,
  tags: Array.from({ length: 30 }, (_, n) => `${n}`.repeat(20)),
} as never;

const readers: { [K in Hostile['kind']]: (input: Extract<Hostile, { kind: K }>) => Promise<unknown> } = {
  async report({ format, bytes }) {
    const open = () => decodeReport({ encoding: 'utf8', maxBytes: MAX_INLINE_BYTES }, chunksOf(bytes));
    for await (const _event of readReport(format, open));
  },
  async events({ format: named, bytes }) {
    const format = BATCH_FORMATS.find((one) => one === named) ?? 'auto';
    const batch = { format, receivedAt: '2026-01-15T08:00:00.000Z', oldest: '2025-01-15T08:00:00.000Z' } as BatchRow;
    const bucket = { get: async () => bytes } as Partial<Bucket> as Bucket;
    const text = await readBatch({ bucket }, { organizationId: '' } as Table, batch);
    for (const event of (await eventsOf(text, batch, { sourceId: '' })).events) eventTexts(event);
  },
  // no text here names stored rules
  rule: ({ content, events }) => tryRule({ organizationId: '' } as Table, DetectionTest.parse({ content, events })),
  async condition({ condition }) {
    const form = AssetCondition.parse(condition);
    await assertCondition(form);
    return (await conditionCompiler())(form).test(seenAsset(ASSET, ['main']));
  },
  // the handlers of deliveries need a table: they are asked over HTTP
  webhook: async ({ bytes }) => JSON.parse(bytes.toString()),
};

const isRefusal = (error: unknown): boolean =>
  [ReportError, ApiError, z.ZodError, SyntaxError].some((kind) => error instanceof kind);

const milliseconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

async function read(n: number, input: Hostile, outcome: Outcome): Promise<void> {
  const before = process.cpuUsage();
  const told = (what: string) => outcome.faults.push({ n, what: `${input.kind}: ${what}` });
  try {
    await readers[input.kind](input as never);
    outcome.read += 1;
  } catch (error) {
    if (!isRefusal(error)) told(error instanceof Error ? (error.stack ?? error.message) : String(error));
    outcome.refused += 1;
  }
  const took = milliseconds(before);
  const isOver = (what: string) => outcome.over.push({ n, what: `${input.kind}: ${what}` });
  if (took > MAX_MS) isOver(`${took.toFixed(0)} ms of processor time`);
  const mostMb = process.resourceUsage().maxRSS / 1_024;
  if (mostMb > MAX_MB && outcome.mostMb <= MAX_MB) isOver(`${mostMb.toFixed(0)} MB of memory`);
  outcome.slowestMs = Math.max(outcome.slowestMs, took);
  outcome.mostMb = Math.max(outcome.mostMb, mostMb);
}

let mostMb = 0;

process.on('message', async ({ seed, from, to, input }: Order) => {
  const outcome: Outcome = { faults: [], over: [], refused: 0, read: 0, slowestMs: 0, mostMb };
  for (let n = from; n < to; n++) {
    writeSync(PROGRESS_FD, `${n}`.padEnd(12), 0);
    await read(n, input ?? hostileInput(dice(seed * 1_000_003 + n), reports), outcome);
  }
  mostMb = outcome.mostMb;
  process.send?.(outcome);
});
process.once('disconnect', () => process.exit(0));
