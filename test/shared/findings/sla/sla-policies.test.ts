import { beforeAll, describe, expect, test } from 'vitest';
import {
  DEFAULT_POLICIES,
  dueFields,
  isDueChosen,
  type Sla,
  SlaPolicies,
  testsOf,
} from '#shared/findings/sla/sla-policies.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';

const since = '2026-01-01T00:00:00.000Z';
const asset = { id: 'payments' };

const policies = async (
  patch: object,
  traits: object = { criticality: 'medium', internetExposed: null, tags: [] },
): Promise<Sla> => {
  const parsed = SlaPolicies.parse({ version: 1, taskId: null, ...patch });
  return {
    policies: parsed,
    tests: await testsOf(parsed),
    assets: new Map([[asset.id, traits as { criticality: 'medium'; internetExposed: null; tags: string[] }]]),
  };
};

const dueOn = (sla: Sla, severity: 'critical' | 'high' | 'info') =>
  dueFields(sla, { severity, asset }, since).dueAt?.slice(0, 10);

describe('a finding is due within the days of the policy that fits', () => {
  const strict = [
    { name: 'cardholder data', tags: ['pci'], criticalities: ['critical'], days: { critical: 1 } },
    { name: 'payment', tags: ['pci'], days: { critical: 2, high: 0 } },
    { name: 'crown jewels', criticalities: ['high', 'critical'], days: { critical: 3, high: 5 } },
  ];

  const named = [{ name: 'web', tags: ['pay'], filter: 'hostname:WEB-* type:host', days: { high: 4 } }];
  const web = { type: 'host', value: '10.0.0.7', zone: null, criticality: 'low', tags: ['pay'] };
  const several = [{ name: 'people', tags: ['pay', 'hr'], days: { high: 4 } }];

  test.each<[string, object, object | undefined, 'critical' | 'high' | 'info', string | undefined]>([
    ['the defaults', {}, undefined, 'critical', '2026-01-08'],
    ['information has no date', {}, undefined, 'info', undefined],
    ['days of its own', { days: { critical: 3 } }, undefined, 'critical', '2026-01-04'],
    ['information with a date', { days: { info: 365 } }, undefined, 'info', '2027-01-01'],
    ['an asset that no exception fits', { exceptions: strict }, undefined, 'critical', '2026-01-08'],
    ['a tag', { exceptions: strict }, { criticality: 'low', tags: ['pci'] }, 'critical', '2026-01-03'],
    ['one of several tags', { exceptions: several }, { criticality: 'low', tags: ['lab', 'hr'] }, 'high', '2026-01-05'],
    ['no date by an exception', { exceptions: strict }, { criticality: 'low', tags: ['pci'] }, 'high', undefined],
    ['a criticality', { exceptions: strict }, { criticality: 'high', tags: [] }, 'high', '2026-01-06'],
    ['both', { exceptions: strict }, { criticality: 'critical', tags: ['pci'] }, 'critical', '2026-01-02'],
    [
      'a severity that no exception names',
      { exceptions: strict },
      { criticality: 'high', tags: [] },
      'info',
      undefined,
    ],
    ['a filter', { exceptions: named }, { ...web, name: 'web-1' }, 'high', '2026-01-05'],
    ['a filter that another asset fits', { exceptions: named }, { ...web, name: 'db-1' }, 'high', '2026-01-31'],
    [
      'a filter without the tag beside it',
      { exceptions: named },
      { ...web, name: 'web-1', tags: [] },
      'high',
      '2026-01-31',
    ],
  ])('%s', async (_name, patch, traits, severity, due) => {
    expect(dueOn(await policies(patch, traits), severity)).toBe(due);
  });
});

describe('whether a person chose a date is known', () => {
  let own: Sla = DEFAULT_SLA;
  beforeAll(async () => {
    own = await policies({ days: { high: 14 } });
  });
  const dated = (sla: Sla) => {
    const draft = findingDraft(since);
    return { ...draft, ...dueFields(sla, draft, since) };
  };

  test('no policy chose it as a person does, whatever policy dated it', () => {
    expect(isDueChosen(dated(DEFAULT_SLA))).toBe(false);
    expect(isDueChosen(dated(own))).toBe(false);
  });

  test('a finding that the default policies date needs no mark', () => {
    expect(dated(DEFAULT_SLA).dueChosen).toBeUndefined();
    expect(dated(own).dueChosen).toBe(false);
  });

  test('a record of an earlier release had its date chosen where it is not that of the fixed times of then', () => {
    expect(isDueChosen(findingDraft(since))).toBe(false);
    expect(isDueChosen({ ...findingDraft(since), dueAt: '2026-12-31T00:00:00.000Z' })).toBe(true);
    expect(isDueChosen({ ...findingDraft(since), dueAt: undefined })).toBe(true);
  });
});

test('an exception for all assets is refused: that is what the days beside the exceptions are for', () => {
  const exceptions = [{ name: 'everything', days: { high: 1 } }];
  expect(() => SlaPolicies.parse({ version: 1, taskId: null, exceptions })).toThrow(/must name a tag/);
});

describe('policies are taken as far as they can be kept', () => {
  const exception = { name: 'pci', tags: ['pci'], days: { high: 1 } };
  const taken = (body: object) => SlaPolicies.safeParse({ version: 1, taskId: null, ...body }).success;

  test.each<[string, (n: number) => object, most: number]>([
    ['days', (n) => ({ days: { high: n } }), 3650],
    ['days of an exception', (n) => ({ exceptions: [{ ...exception, days: { high: n } }] }), 3650],
    ['exceptions', (n) => ({ exceptions: Array.from({ length: n }, () => exception) }), 50],
    ['tags of an exception', (n) => ({ exceptions: [{ ...exception, tags: Array(n).fill('pci') }] }), 20],
    ['characters of a name', (n) => ({ exceptions: [{ ...exception, name: 'n'.repeat(n) }] }), 120],
    ['characters of a tag', (n) => ({ exceptions: [{ ...exception, tags: ['t'.repeat(n)] }] }), 120],
  ])('%s', (_name, body, most) => {
    expect([taken(body(most)), taken(body(most + 1))]).toEqual([true, false]);
  });

  test('days are whole and not before the finding, and an exception says for whom it is', () => {
    expect([0, -1, 0.5].map((high) => taken({ days: { high } }))).toEqual([true, false, false]);
    for (const broken of [
      { name: ' ' },
      { tags: [''] },
      { tags: [] },
      { criticalities: ['none'] },
      { days: { worst: 1 } },
    ])
      expect(taken({ exceptions: [{ ...exception, ...broken }] })).toBe(false);
    expect(taken({ exceptions: [{ ...exception, tags: [], criticalities: ['low'] }] })).toBe(true);
  });

  test('those of an organization that changed none are a week, a month, a quarter and half a year', () => {
    const days = { critical: 7, high: 30, medium: 90, low: 180, info: 0 };
    expect(DEFAULT_POLICIES).toEqual({ days, exceptions: [], version: 0, taskId: null });
    expect(SlaPolicies.parse({ version: 1, taskId: null, days: {} }).days).toEqual(days);
  });
});
