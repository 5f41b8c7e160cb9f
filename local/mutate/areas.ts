/** The parts of the code whose tests are measured, each as the beginnings of paths. */
export const MUTATED_AREAS: Readonly<Record<string, readonly string[]>> = {
  table: ['shared/table/'],
  auth: ['shared/auth/', 'shared/credentials/', 'functions/credentials/', 'functions/token/'],
  leases: ['shared/leases/', 'shared/dispatch/', 'functions/scanner-communication/', 'functions/apex-communication/'],
  ingest: ['functions/workers/ingest/', 'shared/ingest/'],
  findings: ['shared/findings/', 'functions/findings/', 'functions/finding-updates/'],
  states: ['shared/engagements/', 'shared/scanner-tasks/', 'functions/engagements/', 'functions/apex-tasks/'],
  budgets: ['shared/quotas/', 'shared/http/fair-use.ts', 'shared/apex/budget.ts', 'shared/http/body.ts'],
};

/** Declarations without decisions: what the interface looks like is judged by other tests. */
export const isMutated = (file: string): boolean => file.endsWith('.ts') && !/\/(?:routes|index)\.ts$/.test(file);
