import type { Needs } from '#functions/needs.ts';
import { type JobName, jobNames } from '#shared/platform/jobs/jobs.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import type { WorkerHandler } from '#shared/platform/jobs/worker.ts';
import { results as apexResults } from './apex/results.ts';
import { results as billingResults } from './billing/results.ts';
import { results as completionsResults } from './completions/results.ts';
import { results as deliveriesResults } from './deliveries/results.ts';
import { results as engagementsResults } from './engagements/results.ts';
import { results as exportsResults } from './exports/results.ts';
import { results as hostsResults } from './hosts/results.ts';
import { results as ingestResults } from './ingest/results.ts';
import { results as mailResults } from './mail/results.ts';
import { results as maintenanceResults } from './maintenance/results.ts';
import { results as reportsResults } from './reports/results.ts';
import { results as siemResults } from './siem/results.ts';
import { results as ticketingResults } from './ticketing/results.ts';
import { results as viewsResults } from './views/results.ts';
import { results as webhookResults } from './webhooks/results.ts';

/** The Lambda of each queue, with the results of its operations. */
export type Worker = { job: JobName; results: Results; needs?: Needs; load: () => Promise<{ handler: WorkerHandler }> };

const declared: Record<JobName, Omit<Worker, 'job'>> = {
  ingest: {
    results: ingestResults,
    load: () => import('./ingest/index.ts'),
    needs: { sends: ['hosts', 'ingest', 'views'], bucket: 'write', sealingKey: true },
  },
  apex: { results: apexResults, load: () => import('./apex/index.ts'), needs: { sends: ['apex'] } },
  maintenance: {
    results: maintenanceResults,
    load: () => import('./maintenance/index.ts'),
    needs: { sends: ['ingest', 'maintenance'], bucket: 'write', scansTable: true },
  },
  mail: { results: mailResults, load: () => import('./mail/index.ts'), needs: { mail: true } },
  completions: {
    results: completionsResults,
    load: () => import('./completions/index.ts'),
    needs: { bucket: 'write', sealingKey: true, languageModel: true },
  },
  exports: {
    results: exportsResults,
    load: () => import('./exports/index.ts'),
    needs: { sends: ['exports'], bucket: 'write' },
  },
  reports: {
    results: reportsResults,
    load: () => import('./reports/index.ts'),
    needs: { sends: ['mail'], bucket: 'write' },
  },
  views: {
    results: viewsResults,
    load: () => import('./views/index.ts'),
    needs: { sends: ['deliveries', 'ingest', 'ticketing', 'views'], bucket: 'write' },
  },
  webhooks: {
    results: webhookResults,
    load: () => import('./webhooks/index.ts'),
    needs: { sends: ['billing', 'hosts', 'ingest'], bucket: 'write' },
  },
  hosts: {
    results: hostsResults,
    load: () => import('./hosts/index.ts'),
    needs: { sends: ['hosts', 'ingest'], bucket: 'write', sealingKey: true },
  },
  billing: { results: billingResults, load: () => import('./billing/index.ts'), needs: { bucket: 'read' } },
  siem: { results: siemResults, load: () => import('./siem/index.ts'), needs: { bucket: 'write' } },
  ticketing: {
    results: ticketingResults,
    load: () => import('./ticketing/index.ts'),
    needs: { sends: ['engagements', 'ingest', 'ticketing'], bucket: 'read', sealingKey: true },
  },
  deliveries: {
    results: deliveriesResults,
    load: () => import('./deliveries/index.ts'),
    needs: { sends: ['deliveries', 'mail'], sealingKey: true },
  },
  engagements: {
    results: engagementsResults,
    load: () => import('./engagements/index.ts'),
    needs: { sends: ['engagements'] },
  },
};

export const workers: readonly Worker[] = (Object.keys(declared) as JobName[]).map((job) => ({
  job,
  ...declared[job],
}));

/** Work that the clock starts, not a message: its function runs at this interval. */
export type Schedule = {
  name: string;
  everySeconds: number;
  /** A run lasts so long, because it does its work several times. */
  runSeconds?: number;
  memoryMegabytes?: number;
  needs?: Needs;
  /** @param event the engine of one machine says there when it stops */
  load: () => Promise<{ handler: (event?: { signal?: AbortSignal | undefined }) => Promise<void> }>;
};

export const schedules: readonly Schedule[] = [
  {
    name: 'sweeper',
    everySeconds: 60,
    // it sends the message of any task that was not sent
    needs: { sends: jobNames, bucket: 'write' },
    load: () => import('./sweeper/index.ts'),
  },
  {
    name: 'feed',
    everySeconds: 60,
    // most of its time it waits, which costs by its memory
    runSeconds: 50,
    memoryMegabytes: 256,
    needs: { sends: ['views'] },
    load: () => import('./feed/index.ts'),
  },
  {
    name: 'advisories',
    everySeconds: 900,
    needs: { sends: ['ingest', 'views'], bucket: 'write', feeds: true },
    load: () => import('./advisories/index.ts'),
  },
  { name: 'keys', everySeconds: 21_600, needs: { signingKey: 'rotate' }, load: () => import('./keys/index.ts') },
];
