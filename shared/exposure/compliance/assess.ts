import {
  acceptedName,
  type CounterSet,
  checkName,
  lookedName,
  openName,
  WEAKNESS_SET,
} from '#shared/assets/controls/compliance-counters.ts';
import type { Look, Weakness } from '#shared/assets/controls/weakness.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import { AWS_CHECKS } from '#shared/reports/readers/benchmark-aws.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import type { Counted } from './counted.ts';
import type { Control, Framework } from './framework.ts';
import { lookedAtBy, titleOf } from './weaknesses.ts';

export const CONTROL_STATUSES = ['passed', 'failed', 'notAssessed'] as const;
type ControlStatus = (typeof CONTROL_STATUSES)[number];

/** How many findings fail a criterion of a control. */
type Against = { openFindings: number; acceptedFindings: number };

/**
 * Whether a tool looked for a weakness on the assets of a type. `by` may be empty: then no tool proves the weakness
 * absent.
 */
type Looked = { assetType: AssetType; assets: number; by: { look: Look; assets: number }[] };

/**
 * `name`: a weakness, or the key of a check. `passedInCode`: repositories whose code would pass the check after
 * deployment.
 */
type Criterion = Against & { name: string; title: string } & (
    | { kind: 'weakness'; looked: Looked[] }
    | { kind: 'check'; check: string; passedOn: number; passedInCode: number }
  );

type Assessed = { status: ControlStatus; criteria: Criterion[] };

/**
 * Failed: a finding of the control is open, or its risk was accepted, because an acceptance repairs nothing. Passed: no
 * such finding exists, and a tool looked at each type of assets in question, or each check passed somewhere. Otherwise
 * not assessed. Infrastructure code proves nothing about running systems, so that checks which passed in code count
 * only for a group of code.
 */
export function assess({ benchmark }: Framework, control: Control, counted: Counted): Assessed {
  const criteria =
    control.weaknesses?.map((weakness) => ofWeakness(weakness, counted)) ??
    (benchmark && control.checks?.map((key) => ofCheck(key, benchmark, counted))) ??
    [];
  const fails = criteria.some(({ openFindings, acceptedFindings }) => openFindings + acceptedFindings > 0);
  return { status: fails ? 'failed' : isProven(criteria, isOfCode(counted)) ? 'passed' : 'notAssessed', criteria };
}

function isProven(criteria: readonly Criterion[], ofCode: boolean): boolean {
  const proofs = criteria.flatMap((one) =>
    one.kind === 'check'
      ? [(ofCode ? one.passedInCode : one.passedOn) > 0]
      : one.looked.map(({ by }) => by.some(({ assets }) => assets > 0)),
  );
  return proofs.length > 0 && proofs.every(Boolean);
}

/** The type of the assets that hold code, and may so hold the code of clouds and clusters. */
const CODE = 'repository';

const isOfCode = ({ types }: Counted): boolean => [...types.keys()].every((type) => type === CODE);

const sumOf = (counts: Counts, types: Iterable<AssetType>, nameOf: (type: AssetType) => string): number =>
  [...types].reduce((sum, type) => sum + (counts[nameOf(type)] ?? 0), 0);

const against = (key: string, set: CounterSet, { types, control }: Counted): Against => ({
  openFindings: sumOf(control(set), types.keys(), (type) => openName(type, key)),
  acceptedFindings: sumOf(control(set), types.keys(), (type) => acceptedName(type, key)),
});

function ofWeakness(weakness: Weakness, counted: Counted): Criterion {
  const counts = counted.looked(WEAKNESS_SET);
  const looked = [...counted.types].flatMap(([assetType, assets]): Looked[] => {
    const looks = lookedAtBy(weakness)[assetType];
    if (!looks || assets === 0) return [];
    return [
      { assetType, assets, by: looks.map((look) => ({ look, assets: counts[lookedName(assetType, look)] ?? 0 })) },
    ];
  });
  const named = { kind: 'weakness' as const, name: weakness, title: titleOf(weakness) };
  return { ...named, ...against(weakness, WEAKNESS_SET, counted), looked };
}

function ofCheck(key: string, { id, tool }: NonNullable<Framework['benchmark']>, counted: Counted): Criterion {
  const types = [...counted.types.keys()];
  const passed = (of: AssetType[]) => sumOf(counted.looked(id), of, (type) => lookedName(type, key));
  return {
    kind: 'check',
    name: key,
    title: `${tool} ${AWS_CHECKS[key] ?? key}`,
    check: checkName({ benchmark: id, key }),
    ...against(key, id, counted),
    passedOn: passed(types.filter((type) => type !== CODE)),
    passedInCode: passed(types.filter((type) => type === CODE)),
  };
}

export type FrameworkCounts = {
  controls: { total: number; passed: number; failed: number; notAssessed: number };
  /** The percentage of passed controls among the assessed ones, rounded down; null: no control is assessed. */
  score: number | null;
};

export function countControls(statuses: readonly ControlStatus[]): FrameworkCounts {
  const of = (wanted: ControlStatus) => statuses.filter((status) => status === wanted).length;
  const [passed, failed, notAssessed] = [of('passed'), of('failed'), of('notAssessed')];
  const assessed = passed + failed;
  return {
    controls: { total: statuses.length, passed, failed, notAssessed },
    score: assessed === 0 ? null : Math.floor((100 * passed) / assessed),
  };
}
