import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { circles, crossings, outward, upward } from './rules.ts';
import { graphOf, readSources } from './sources.ts';

/**
 * The wings of `shared/` from the bottom to the top, each with its rooms from the bottom to the top; a wing without rooms is one room
 * itself. A file imports only from its own room and from those before it.
 */
const WINGS: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'runtime',
    'table',
    'auth',
    'crypto',
    'quotas',
    'http',
    'filter',
    'timers',
    'feed',
    'jobs',
    'exports',
    'outgoing',
    'uploads',
    'views',
  ],
  advisories: [],
  credentials: [],
  people: [],
  reports: ['report', 'readers', 'formats'],
  assets: ['controls', 'asset', 'conditions', 'zones', 'targets', 'identity', 'inventory'],
  scanning: [
    'machines',
    'agents',
    'schedule',
    'scanners',
    'engagements',
    'scanner-tasks',
    'scan-credentials',
    'engagement-tasks',
    'leases',
    'fleet',
  ],
  apex: [],
  findings: [
    'priority',
    'finding',
    'closing',
    'branches',
    'evidence',
    'sla',
    'view',
    'triage',
    'bulk',
    'suppression',
    'gate',
  ],
  exposure: ['applications', 'asset-actions', 'asset-rules', 'asset-links', 'compliance'],
  billing: [],
  code: ['integrations', 'repositories', 'code-hosts', 'code-scans', 'sync'],
  soc: ['alerts', 'siem', 'sigma', 'detection', 'hunting', 'incidents'],
  vulnerabilities: ['exposed-credentials', 'vulnerability'],
  ingest: [],
  ticketing: [],
  organizations: [],
  events: [],
  notifications: [],
  reporting: [],
};
const ROOMS = Object.entries(WINGS).flatMap(([wing, rooms]) =>
  rooms.length === 0 ? [wing] : rooms.map((room) => `${wing}/${room}`),
);

describe('a newcomer who reads one file meets only what it needs', () => {
  const graph = graphOf(readSources());

  test('the walk finds the imports of the whole repository', () => {
    expect(graph.size).toBeGreaterThan(700);
    expect(graph.get('functions/platform/tasks/index.ts')).toContain('shared/platform/http/area.ts');
  });

  test('only one file sends messages, by which no job forgets the places of an organization', () => {
    const senders = [...readSources()].filter(
      ([file, text]) => /^(shared|functions)\//.test(file) && /queues\.send\(/.test(text),
    );
    expect(senders.map(([file]) => file)).toEqual(['shared/platform/jobs/send.ts']);
  });

  test('one file of the console draws charts, by the functions of the reports, so that only screens with charts load d3', () => {
    // a bar of one value is a `progress`, and no box with a width in percent
    const drawing = /<(?:svg|g|rect|path|circle|ellipse|line|polyline|polygon|canvas)\b|\bwidth: `/;
    const drawers = [...readSources()].filter(([file, text]) => /^console\/.*\.tsx$/.test(file) && drawing.test(text));
    // an icon and the graph of an asset are no charts
    expect(drawers.map(([file]) => file)).toEqual([
      'console/parts/icon.tsx',
      'console/parts/plot.tsx',
      'console/screens/assets/exposure-graph.tsx',
    ]);
    expect(graph.get('console/parts/plot.tsx')).toContain('shared/reporting/charts/chart.ts');
    const importers = [...graph].filter(([, imports]) =>
      imports.some((file) => file.startsWith('shared/reporting/charts/')),
    );
    expect(importers.map(([file]) => file).filter((file) => file.startsWith('console/'))).toEqual([
      'console/parts/plot.tsx',
    ]);
  });

  test('no files import each other in a circle', () => {
    expect(circles(graph)).toEqual([]);
  });

  test('no area imports another area', () => {
    expect(crossings(graph)).toEqual([]);
  });

  test('shared/ and functions/ import nothing that stands outside of what is deployed', () => {
    expect(outward(graph)).toEqual([]);
  });

  test('each room of shared/ imports only rooms below it', () => {
    expect(upward(graph, ROOMS)).toEqual([]);
  });

  test('CONTRIBUTING.md shows the order of the wings and rooms', () => {
    const [, shown = ''] =
      /one room per subject:\n\n((?: {4}.*\n)+)/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
    const lines = Object.entries(WINGS).map(([wing, rooms]) => [wing, ...rooms].join(' '));
    expect(shown.trim().split(/\n\s*/)).toEqual(lines);
  });
});

describe('the rules above fail when they must', () => {
  const graph = (arrows: Record<string, string[]>) => new Map(Object.entries(arrows));
  const apart = graph({ 'shared/b/x.ts': ['shared/a/x.ts'], 'shared/a/x.ts': [], 'functions/one/y.ts': [] });

  test('a sound graph is reported by none of them', () => {
    expect([...circles(apart), ...crossings(apart), ...outward(apart), ...upward(apart, ['a', 'b'])]).toEqual([]);
  });

  test.each([
    ['two files that import each other', { a: ['b'], b: ['a'] }, ['files that import each other: a, b']],
    ['a file that imports itself', { a: ['a'] }, ['files that import each other: a']],
    ['a circle of three behind a straight path', { x: ['a'], a: ['b'], b: ['c'], c: ['a'] }, ['a, b, c']],
    ['two circles', { a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'] }, ['c, d', 'a, b']],
    ['two circles that share a file', { a: ['b', 'c'], b: ['a'], c: ['a'] }, ['a, b, c']],
    ['files that meet again without a circle', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ])('circles: %s', (_, arrows, expected) => {
    const found = circles(graph(arrows as Record<string, string[]>));
    expect(found).toEqual(expected.map((circle) => expect.stringContaining(circle)));
  });

  test('an area that imports another is named with both files, and contract.ts may import all', () => {
    const areas = graph({
      'functions/contract.ts': ['functions/platform/tasks/routes.ts'],
      'functions/platform/tasks/routes.ts': ['functions/needs.ts', 'functions/platform/tasks/rules.ts'],
      'functions/findings/findings/handlers.ts': ['functions/platform/tasks/rules.ts'],
      'functions/workers/imports/close.ts': ['functions/workers/apex/stop-all.ts', 'functions/workers/contract.ts'],
    });
    expect(crossings(areas)).toEqual([
      'functions/findings/findings/handlers.ts imports the other area platform/tasks: functions/platform/tasks/rules.ts',
      'functions/workers/imports/close.ts imports the other area workers/apex: functions/workers/apex/stop-all.ts',
    ]);
  });

  test('a room that imports an area, the stack or the local system is named', () => {
    const shared = ['functions/a/x.ts', 'infra/api.ts', 'local/system.ts', 'shared/b/x.ts'];
    const found = outward(graph({ 'shared/a/x.ts': shared, 'functions/a/x.ts': ['test/x.ts'], 'test/x.ts': shared }));
    expect(found).toEqual([
      'shared/a/x.ts imports functions/: functions/a/x.ts',
      'shared/a/x.ts imports infra/: infra/api.ts',
      'shared/a/x.ts imports local/: local/system.ts',
      'functions/a/x.ts imports test/: test/x.ts',
    ]);
  });

  test('an upward arrow between rooms is named, and so is a room that the order lacks', () => {
    const rooms = { 'shared/low/x.ts': ['shared/low/y.ts', 'shared/high/x.ts'], 'shared/new/x.ts': [] };
    expect(upward(graph(rooms), ['low', 'high'])).toEqual([
      'shared/new/x.ts lies in a room that has no place in the order',
      'shared/low/x.ts imports upward: shared/high/x.ts',
    ]);
  });
});
