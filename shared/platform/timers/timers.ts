import { createHash } from 'node:crypto';
import type { SendOptions } from '../runtime/queues.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';

export const TIMER_KINDS = [
  'acceptance',
  'scanner',
  'agent',
  'apex',
  'apex-run',
  'apex-start',
  'apex-task',
  'application',
  'asset',
  'branch',
  'change-log',
  'collector',
  'evidence',
  'integrator',
  'response',
  'exclusion',
  'integration',
  'organization-deletion',
  'remediation',
  'scan-end',
  'scan-start',
  'siem-events',
  'siem-source',
  'suppression',
  'ticketing',
  'views',
  'vulnerability',
  'engagement',
  'send',
] as const;
export type TimerKind = (typeof TIMER_KINDS)[number];

/**
 * A time at which the sweeper must look at something, for all organizations: at a machine that may be silent or whose
 * lease ends, a task whose message may not have been sent, an engagement that starts or whose window opens or closes,
 * a risk of a finding or vulnerability that is accepted or a suppression rule that holds until then, a branch that may have ended, assets that nothing saw for long, changes that are old
 * enough for the bucket, changes that views have not seen, the files of a finding that was deleted, a remediation that scans may have verified, an exclusion of
 * an application that ends, a response action that nobody took, a branch that a policy has scanned or whose scan's reports may all be read, the daily risk of applications, the daily reading of repositories from code hosts, an organization whose days of grace are over, a source of events that may be silent, events whose days are over, or the next poll of a ticketing system. If all goes well, the timer is removed or
 * moved before that time.
 */
export type Timer = {
  shard: number;
  /** Milliseconds since the epoch. */
  at: number;
  kind: TimerKind;
  organizationId: string;
  id: string;
  /** Options for sending the message of a task. */
  send?: SendOptions;
};

/** Timers are spread over this many partitions. */
export const TIMER_SHARDS = 4;

/** The last time of 13 digits, in the year 2286: a later one would sort before the timers that are due. */
const LATEST = 10 ** 13 - 1;
const timeText = (at: number): string => String(Math.min(at, LATEST)).padStart(13, '0');

export const timers = defineRow<Timer>({
  name: 'timer',
  about: 'a time at which the sweeper must look at something; global scope',
  key: ({ shard, at, kind, id }) => [String(shard), `${timeText(at)}#${kind}#${id}`],
});

/** The sort keys of all timers that are due are lower than this. */
export const dueBefore = (at: number): string => timeText(at);

const shardOf = (id: string): number => createHash('sha1').update(id).digest().readUInt8(0) % TIMER_SHARDS;

type TimerId = Omit<Timer, 'shard'>;
export const placedTimer = (timer: TimerId): Timer => ({ ...timer, shard: shardOf(timer.id) });

export const putTimer = (timer: TimerId): Write => putWrite(GLOBAL_SCOPE, timers, { row: placedTimer(timer) });
export const removeTimer = (timer: TimerId): Write => ({ remove: rowKey(GLOBAL_SCOPE, timers, placedTimer(timer)) });

/** Moves a timer for the transaction that changes its time; undefined: there is none. */
export function moveTimer(timer: Omit<TimerId, 'at'>, was: number | undefined, is: number | undefined): Write[] {
  if (was === is) return [];
  return [
    ...(was === undefined ? [] : [removeTimer({ ...timer, at: was })]),
    ...(is === undefined ? [] : [putTimer({ ...timer, at: is })]),
  ];
}
