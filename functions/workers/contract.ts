import type { JobName } from '#shared/jobs/jobs.ts';
import type { WorkerHandler } from '#shared/jobs/worker.ts';
import type { Needs } from '../needs.ts';

/** The Lambda of each queue. */
export type Worker = { job: JobName; needs?: Needs; load: () => Promise<{ handler: WorkerHandler }> };

export const workers: readonly Worker[] = [
  { job: 'ingest', needs: { sends: ['ingest'], bucket: 'write' }, load: () => import('./ingest/index.ts') },
  { job: 'apex', needs: { sends: ['apex'] }, load: () => import('./apex/index.ts') },
  {
    job: 'maintenance',
    needs: { sends: ['maintenance'], bucket: 'read' },
    load: () => import('./maintenance/index.ts'),
  },
  {
    job: 'completions',
    needs: { bucket: 'write', sealingKey: true, languageModel: true },
    load: () => import('./completions/index.ts'),
  },
  { job: 'exports', needs: { sends: ['exports'], bucket: 'write' }, load: () => import('./exports/index.ts') },
  { job: 'engagements', needs: { sends: ['engagements'] }, load: () => import('./engagements/index.ts') },
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
    needs: { sends: ['apex', 'engagements', 'exports', 'ingest'], bucket: 'write' },
    load: () => import('./sweeper/index.ts'),
  },
  { name: 'feed', everySeconds: 60, load: () => import('./feed/index.ts') },
];
