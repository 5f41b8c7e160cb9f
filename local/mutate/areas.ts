/** The parts of the code whose tests are measured, each as the beginnings of paths. */
export const MUTATED_AREAS: Readonly<Record<string, readonly string[]>> = {
  table: ['shared/platform/table/'],
  auth: [
    'shared/platform/auth/',
    'shared/credentials/',
    'functions/credentials/credentials/',
    'functions/credentials/token/',
  ],
  leases: [
    'shared/scanning/leases/',
    'shared/scanning/scanner-tasks/',
    'functions/scanning/scanner-communication/',
    'functions/apex/apex-communication/',
  ],
  ingest: ['functions/workers/imports/', 'shared/ingest/'],
  findings: ['shared/findings/', 'functions/findings/findings/', 'functions/findings/finding-updates/'],
  states: [
    'shared/scanning/engagements/',
    'shared/scanning/engagement-tasks/',
    'shared/scanning/scanner-tasks/',
    'functions/scanning/engagements/',
    'functions/apex/apex-tasks/',
  ],
  budgets: [
    'shared/platform/quotas/',
    'shared/platform/http/fair-use.ts',
    'shared/apex/budget.ts',
    'shared/platform/http/body.ts',
    'shared/platform/http/body-size.ts',
  ],
};

/** Declarations without decisions: other tests check the shape of the interface. */
export const isMutated = (file: string): boolean => file.endsWith('.ts') && !/\/(?:routes|index)\.ts$/.test(file);
