import type { Needs } from '#functions/needs.ts';
import { type JobName, jobNames } from '#shared/platform/jobs/jobs.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import type { WorkerHandler } from '#shared/platform/jobs/worker.ts';
import { results as apexResults } from './apex/results.ts';
import { results as billingResults } from './billing/results.ts';
import { results as completionsResults } from './completions/results.ts';
import { results as engagementsResults } from './engagements/results.ts';
import { results as exportsResults } from './exports/results.ts';
import { results as hostsResults } from './hosts/results.ts';
import { results as ingestResults } from './ingest/results.ts';
import { results as maintenanceResults } from './maintenance/results.ts';
import { results as siemResults } from './siem/results.ts';
import { results as ticketingResults } from './ticketing/results.ts';
import { results as viewsResults } from './views/results.ts';
import { results as webhookResults } from './webhooks/results.ts';

/** The Lambda of each queue, with the results of its operations. */
export type Worker = { job: JobName; results: Results; needs?: Needs; load: () => Promise<{ handler: WorkerHandler }> };

export const workers: readonly Worker[] = [
  {
    job: 'ingest',
    results: ingestResults,
    needs: { sends: ['ingest', 'views'], bucket: 'write', sealingKey: true },
    load: () => import('./ingest/index.ts'),
  },
  { job: 'apex', results: apexResults, needs: { sends: ['apex'] }, load: () => import('./apex/index.ts') },
  {
    job: 'maintenance',
    results: maintenanceResults,
    needs: { sends: ['ingest', 'maintenance'], bucket: 'write', scansTable: true },
    load: () => import('./maintenance/index.ts'),
  },
  {
    job: 'completions',
    results: completionsResults,
    needs: { bucket: 'write', sealingKey: true, languageModel: true },
    load: () => import('./completions/index.ts'),
  },
  {
    job: 'exports',
    results: exportsResults,
    needs: { sends: ['exports'], bucket: 'write' },
    load: () => import('./exports/index.ts'),
  },
  {
    job: 'views',
    results: viewsResults,
    needs: { sends: ['ingest', 'ticketing', 'views'], bucket: 'write' },
    load: () => import('./views/index.ts'),
  },
  {
    job: 'webhooks',
    results: webhookResults,
    needs: { sends: ['billing', 'hosts', 'ingest'], bucket: 'write' },
    load: () => import('./webhooks/index.ts'),
  },
  {
    job: 'hosts',
    results: hostsResults,
    needs: { sends: ['hosts', 'ingest'], bucket: 'write', sealingKey: true },
    load: () => import('./hosts/index.ts'),
  },
  {
    job: 'billing',
    results: billingResults,
    needs: { bucket: 'read' },
    load: () => import('./billing/index.ts'),
  },
  {
    job: 'siem',
    results: siemResults,
    needs: { bucket: 'write' },
    load: () => import('./siem/index.ts'),
  },
  {
    job: 'ticketing',
    results: ticketingResults,
    needs: { sends: ['engagements', 'ingest', 'ticketing'], bucket: 'read', sealingKey: true },
    load: () => import('./ticketing/index.ts'),
  },
  {
    job: 'engagements',
    results: engagementsResults,
    needs: { sends: ['engagements'] },
    load: () => import('./engagements/index.ts'),
  },
];

/** Work that the clock starts, not a message: its function runs at this interval. */
export type Schedule = {
  name: string;
  everySeconds: number;
  needs?: Needs;
  load: () => Promise<{ handler: () => Promise<void> }>;
};

export const schedules: readonly Schedule[] = [
  {
    name: 'sweeper',
    everySeconds: 60,
    // it sends the message of any task that was not sent
    needs: { sends: jobNames, bucket: 'write' },
    load: () => import('./sweeper/index.ts'),
  },
  { name: 'feed', everySeconds: 60, load: () => import('./feed/index.ts') },
  {
    name: 'advisories',
    everySeconds: 900,
    needs: { sends: ['ingest', 'views'], bucket: 'write', feeds: true },
    load: () => import('./advisories/index.ts'),
  },
  { name: 'keys', everySeconds: 21_600, needs: { signingKey: 'rotate' }, load: () => import('./keys/index.ts') },
];
