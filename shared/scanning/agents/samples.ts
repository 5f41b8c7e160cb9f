import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { shortId } from '#shared/platform/runtime/ids.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Sample } from './agent.ts';
import { BLOCK_SECONDS, type Measured, packMeasured, unpackMeasured } from './packed-sample.ts';
import { expiry, KEPT_SECONDS } from './retention.ts';

/** An agent's clock may be ahead by this much. */
const AHEAD_SECONDS = 300;

/**
 * A quarter of an hour of an agent's samples. Each sample is an attribute, named by its second: a report adds its
 * samples with one write, in any order and any number of times. The row outlives the time in which samples for it are
 * accepted.
 */
type SampleRow = { block: number; [second: string]: Uint8Array | number };

export const sampleRows = defineRow<SampleRow, { agentId: string; block: number }>({
  name: 'agent-sample',
  about: "a quarter of an hour of an agent's samples, one attribute each, named by its second",
  key: ({ agentId, block }) => [shortId(agentId), blockText(block)],
  expiresAt: ({ block }) => expiry((block + 1) * BLOCK_SECONDS, 'minute'),
});

const blockText = (block: number): string => String(block).padStart(8, '0');

/** Attributes of one write: the length of its expression is limited. */
const PER_WRITE = 90;
const AT_ONCE = 8;

/** The samples to keep: not older than the history by the minute, and not from a clock that is far ahead. */
export function acceptable(samples: readonly Sample[]): Measured[] {
  const latest = nowMs() / 1000 + AHEAD_SECONDS;
  const earliest = nowMs() / 1000 - KEPT_SECONDS.minute;
  return samples
    .map((sample) => ({ ...sample, at: Math.floor(Date.parse(sample.at) / 1000) }))
    .filter(({ at }) => at >= earliest && at <= latest);
}

/** Adds samples. Of two samples of the same second the first to arrive stays. */
export async function addSamples(table: Table, agentId: string, samples: readonly Measured[]): Promise<void> {
  const blocks = Map.groupBy(samples, ({ at }) => Math.floor(at / BLOCK_SECONDS));
  const writes = [...blocks].flatMap(([block, within]) => chunksOf(within, PER_WRITE).map((part) => ({ block, part })));
  await eachAtOnce(writes, AT_ONCE, ({ block, part }) => {
    const packed = part.map((sample) => [String(sample.at % BLOCK_SECONDS), packMeasured(sample)] as const);
    return table.rows(sampleRows).fill({ agentId, block }, { ...Object.fromEntries(packed.toReversed()), block });
  });
}

export type Span = { from: number; to: number };

/** Samples from `from` (included) to `to` (excluded), in seconds since the epoch, oldest first. */
export async function readSamples(
  table: Table,
  agentId: string,
  { from, to, consistent = false }: Span & { consistent?: boolean },
): Promise<Measured[]> {
  const between = {
    from: blockText(Math.floor(from / BLOCK_SECONDS)),
    to: blockText(Math.floor((to - 1) / BLOCK_SECONDS)),
  };
  const rows = await table.rows(sampleRows).query(shortId(agentId), { between, consistent });
  return rows.flatMap(samplesIn).filter(({ at }) => at >= from && at < to);
}

const samplesIn = ({ block, ...seconds }: SampleRow): Measured[] =>
  Object.entries(seconds)
    .flatMap(([second, packed]) =>
      packed instanceof Uint8Array ? [unpackMeasured(block * BLOCK_SECONDS + Number(second), packed)] : [],
    )
    .sort((a, b) => a.at - b.at);
