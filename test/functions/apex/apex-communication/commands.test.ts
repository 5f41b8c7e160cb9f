import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { apexCalls } from '#functions/apex/apex-communication/calls.ts';
import { commandsFor } from '#functions/apex/apex-communication/commands.ts';
import type { ApexAppliance } from '#shared/apex/apex-appliance.ts';
import type { ApexCommand, ApexLease, ApexPresence } from '#shared/apex/presence.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { stopClock } from '../../../support/scanning-world.ts';

beforeEach(() => void stopClock());
afterAll(() => setClock());

const lease = (more: Partial<ApexLease> = {}) => more as ApexLease;
const command = (more: Partial<ApexCommand>): ApexCommand => ({
  type: 'approve',
  reason: 'x',
  until: nowMs() + 1,
  ...more,
});
const told = (leases: Record<string, ApexLease>, ...commands: ApexCommand[]) =>
  commandsFor({ leases, commands }).map(({ type, taskId }) => (taskId ? `${type} ${taskId}` : type));

describe('an appliance is told', () => {
  test('to stop what is cancelled, also if it is paused, to hold what is paused, and nothing of the rest', () => {
    const leases = { a: lease({ cancel: 'cancelled', isPaused: true }), b: lease({ isPaused: true }), c: lease() };
    expect(commandsFor({ leases, commands: [] })).toEqual([
      { type: 'cancel', taskId: 'a', reason: 'cancelled' },
      { type: 'pause', taskId: 'b', reason: 'campaign_paused' },
    ]);
  });

  test('what an operator left for it, until that is over', () => {
    const left = command({ type: 'upgrade', reason: 'to 2.0' });
    expect(commandsFor({ leases: {}, commands: [left] })).toEqual([{ type: 'upgrade', reason: 'to 2.0' }]);
    expect(told({}, command({ until: nowMs() }), command({ until: nowMs() - 1 }))).toEqual([]);
  });

  test('decisions only about tasks that it holds', () => {
    expect(told({ a: lease() }, command({ taskId: 'a' }), command({ taskId: 'b' }))).toEqual(['approve a']);
  });

  test('to continue only if it has no new command to pause', () => {
    const resume = (taskId: string) => command({ type: 'resume', taskId });
    const leases = { a: lease(), b: lease({ isPaused: true }) };
    expect(told(leases, resume('a'), resume('b'))).toEqual(['pause b', 'resume a']);
    expect(told(leases, command({ taskId: 'b' }))).toEqual(['pause b', 'approve b']);
  });
});

describe('what an appliance says of itself', () => {
  const presence = { softwareVersion: '1.0', taskTypes: ['reconnaissance', 'retest'] } as unknown as ApexPresence;
  const call = (body: object) => ({ machineId: 'a', body });

  test.each<[string, object, boolean]>([
    ['nothing', {}, false],
    ['no version', { version: null }, false],
    ['its version again', { version: '1.0' }, false],
    ['another version', { version: '1.1' }, true],
    ['its types again', { version: '1.0', taskTypes: ['reconnaissance', 'retest'] }, false],
    ['its types and one that nobody knows', { taskTypes: ['reconnaissance', 'retest', 'novel'] }, false],
    ['fewer types', { taskTypes: ['retest'] }, true],
  ])('%s: it is news or not', (_, body, isNews) => {
    expect(apexCalls.isNews(presence, call(body))).toBe(isNews);
  });

  test('is kept, and what it does not say stays', () => {
    const appliance = { softwareVersion: '1.0', taskTypes: ['retest'] } as unknown as ApexAppliance;
    expect(apexCalls.fieldsOf(appliance, call({}))).toEqual({ softwareVersion: '1.0', taskTypes: ['retest'] });
    const said = { version: '2.0', taskTypes: ['reconnaissance' as const] };
    expect(apexCalls.fieldsOf(appliance, call(said))).toEqual({
      softwareVersion: '2.0',
      taskTypes: ['reconnaissance'],
    });
  });

  test('of a running task is kept with its lease, and an empty step leaves the last one', () => {
    const said = { taskId: 't', progress: 0.5, step: 'ports', message: 'half' };
    expect(apexCalls.keptOf(said as never)).toEqual({ progress: 0.5, step: 'ports', message: 'half' });
    expect(apexCalls.keptOf({ taskId: 't', progress: 0.5, step: '', message: '' } as never)).toEqual({ progress: 0.5 });
  });
});
