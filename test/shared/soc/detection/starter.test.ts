import { expect, test } from 'vitest';
import { tryRule } from '#functions/soc/detection-rules/try-rule.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { starterRules } from '#shared/soc/detection/starter/list.ts';
import { readEvents } from '#shared/soc/siem/read-events.ts';
import { inOneTurn } from '../../../support/all-turns.ts';
import { STARTER_SAMPLES } from '../../../support/detection/starter-samples.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const batch = {
  sourceId: newId(),
  format: 'auto',
  receivedAt: '2026-11-12T10:10:00.000Z',
  oldest: '2026-01-01T00:00:00.000Z',
} as const;
const tried = async (content: string, lines: readonly string[]) =>
  tryRule(newOrganization(store.dynamo), { content, events: inOneTurn(readEvents(lines.join('\n'), batch)).events });

test('each starter rule has lines on which it was tried', () => {
  expect(Object.keys(STARTER_SAMPLES).sort()).toEqual(Object.keys(starterRules()).sort());
});

test.each(Object.entries(starterRules()))('%s sees the attack and no similar work', async (name, content) => {
  const { fires = [], silent = [] } = STARTER_SAMPLES[name] ?? {};
  const seen = await tried(content, fires);
  expect(seen.errors).toEqual([]);
  expect(seen.rule?.attackTechniques).not.toEqual([]);
  expect(seen.events.map(({ matches }) => matches)).toEqual(fires.map(() => true));
  expect(seen.alerts).toMatchObject([{ eventCount: fires.length }]);
  expect((await tried(content, silent)).alerts).toEqual([]);
});
