import { afterAll, expect, test } from 'vitest';
import { fixture, recordedReports } from '../../../support/recorded.ts';
import { oneOfEach } from '../../../support/tier.ts';
import { contents } from './expectations.ts';
import { codeScan } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const scanOf = (format: string, file: string) =>
  codeScan('', { format, report: { content: fixture(file).toString('base64'), encoding: 'base64' } });

test.each(oneOfEach(recordedReports, ([format]) => format))(
  '%s: %s imported a second time changes nothing but when its findings were seen',
  async (format, file) => {
    const table = world.newOrganization();
    const first = await world.ingest(table, scanOf(format, file));
    expect(first.status).toBe('succeeded');
    const before = await contents({ connections: world.connections, table });
    const again = await world.ingest(table, scanOf(format, file));
    const unchanged = before.findings.length;
    expect(again.result).toMatchObject({ created: 0, updated: 0, closed: 0, reopened: 0, unchanged });
    const seen = before.findings.map((finding) => ({ ...finding, occurrences: 2 }));
    expect(await contents({ connections: world.connections, table })).toEqual({ ...before, findings: seen });
  },
);
