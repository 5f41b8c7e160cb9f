import { createHash } from 'node:crypto';
import type { SendOptions } from '../runtime/queues.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';

/** The kinds of timers, with the reason why the sweeper looks. */
export const TIMER_KINDS = [
  'acceptance', // the accepted risk of a finding ends
  'acceptance-notice', // the acceptance of a risk ends in 30 or in 7 days
  'scanner', // a scanner may be silent, or its lease ends
  'agent', // an agent may be silent
  'apex', // an appliance may be silent, or its lease ends
  'apex-run', // the tasks of a run are to be made, or the run is too long
  'apex-start', // a campaign starts
  'apex-task', // an Apex task waits for others or for its end
  'application', // the daily risk score of an application
  'approval-request', // nobody decided on a request in time
  'asset', // nothing has seen some assets for long
  'branch', // a branch may have ended
  'change-log', // changes are old enough for the bucket
  'collector', // a collector may be silent
  'evidence', // files of a deleted finding remain
  'integrator', // an integrator may be silent, or its lease ends
  'report', // a schedule makes its next report
  'response', // no integrator took a response action
  'exclusion', // an exclusion of an application ends
  'integration', // the daily reading of repositories from a code host
  'organization-deletion', // the days of grace of an organization are over
  'provider-domains', // the daily look at the DNS records of identity providers
  'remediation', // scans may have verified a remediation
  'sales-request', // the retention of a sales request is over
  'scan-end', // the reports of a scan of a branch may all be read
  'scan-start', // a policy scans a branch
  'siem-events', // the retention of events is over
  'siem-source', // a source of events may be silent
  'suppression', // a suppression rule ends
  'ticketing', // the next poll of a ticketing system
  'views', // views have not seen changes
  'webhook', // the next call of a webhook endpoint that fails
  'subscription', // a message of a subscription to its channel is due
  'notification', // a message to a person is due
  'vulnerability', // the accepted risk of a vulnerability ends
  'engagement', // an engagement starts, or its window opens or closes
  'send', // the message of a task may not have been sent
] as const;
export type TimerKind = (typeof TIMER_KINDS)[number];

/**
 * A time at which the sweeper looks at a record; `TIMER_KINDS` has the reasons. If all goes well, the timer is removed
 * or moved before that time.
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
const SPREAD = 4;
/** Those of views have a partition of their own: it lists the organizations of which changes were numbered lately. */
export const VIEWS_SHARD = SPREAD;
export const TIMER_SHARDS = SPREAD + 1;

/** The last time of 13 digits, in the year 2286: a later one would sort before the timers that are due. */
const LATEST = 10 ** 13 - 1;
const timeText = (at: number): string => String(Math.min(at, LATEST)).padStart(13, '0');

export const timers = defineRow<Timer>({
  name: 'timer',
  about: 'a time at which the sweeper must look at something; global key scope',
  key: ({ shard, at, kind, id }) => [String(shard), `${timeText(at)}#${kind}#${id}`],
});

/** The sort keys of all timers that are due are lower than this. */
export const dueBefore = (at: number): string => timeText(at);

type TimerId = Omit<Timer, 'shard'>;
const shardOf = ({ kind, id }: TimerId): number =>
  kind === 'views' ? VIEWS_SHARD : createHash('sha1').update(id).digest().readUInt8(0) % SPREAD;

export const placedTimer = (timer: TimerId): Timer => ({ ...timer, shard: shardOf(timer) });

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
