import * as z from 'zod';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Tally } from '#shared/platform/table/entity.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import type { Benchmark, BenchmarkCheck } from '#shared/reports/report/report.ts';
import { type AssetLook, looksOf } from './asset-look.ts';

/*
 * The counters of passed and failed controls. A row for each group of assets (all, a zone, an application) and set (the
 * weaknesses, the checks of a benchmark). The rows of a group are neighbours, so that one query reads them. Benchmarks
 * have no rows of applications: an asset may belong to 20 applications, and a transaction has 100 rows. Each name in a
 * row begins with the type of the asset:
 *
 * - `control` of findings: `h:patching`, findings of the weakness that are open on hosts; `H:patching`, findings whose
 *   risk was accepted.
 *   Of a benchmark `h:1.2.1`, by the key of the check.
 * - `looked` of assets: `h`, the hosts; `h:host`, hosts that a tool of this kind looked at; `h:1.2.1`, hosts on which
 *   the check passed.
 */

/** The set of counters that is of no benchmark. */
export const WEAKNESS_SET = 'weakness';
export type CounterSet = typeof WEAKNESS_SET | Benchmark;

/** The group of all assets. */
export const EVERYTHING = 'all';
/** Callers write the zone in any letter case. */
export const zoneGroup = (zone: string): string => `zone ${caseless(zone)}`;
export const applicationGroup = (id: string): string => `application ${id}`;

/** Sorts before all characters of names, so that no row of another zone begins with the name of this one. */
const BEHIND = '\t';

export const counterRow = (set: CounterSet, group: string): string => `${group}${BEHIND}${set}`;

/** The rows of all sets of a group. */
export const counterRows = (group: string) => ({ from: `${group}${BEHIND}`, to: `${group}${BEHIND}~` });

const LETTERS: Record<AssetType, string> = {
  host: 'h',
  url: 'u',
  domain: 'd',
  repository: 'r',
  container_image: 'i',
  cloud_account: 'c',
  application: 'a',
  cloud_resource: 'o',
  edr_device: 'e',
};

export const openName = (type: AssetType, key: string): string => `${LETTERS[type]}:${key}`;
export const acceptedName = (type: AssetType, key: string): string => `${LETTERS[type].toUpperCase()}:${key}`;
export const lookedName = openName;
export const assetName = (type: AssetType): string => LETTERS[type];

type Placed = { zone: string | null; applicationIds: readonly string[] };

const groupsOf = (set: CounterSet, { zone, applicationIds }: Placed): string[] => [
  EVERYTHING,
  ...(zone === null ? [] : [zoneGroup(zone)]),
  ...(set === WEAKNESS_SET ? applicationIds.map(applicationGroup) : []),
];

export const inGroups = (
  facet: string,
  set: CounterSet,
  { names, placed }: { names: readonly string[]; placed: Placed },
) =>
  names.length === 0
    ? []
    : groupsOf(set, placed).map(
        (group): Tally => ({
          facet,
          value: counterRow(set, group),
          add: Object.fromEntries(names.map((name) => [name, 1])),
        }),
      );

/** The value by which the index finds the findings of a check. */
export const checkMark = ({ benchmark, key }: BenchmarkCheck): string => `${benchmark} ${key}`;

/** A check by one word, as callers write it: `aws-3.0:5.2b`. */
export const BenchmarkCheckName = z
  .string()
  .regex(
    /^[a-z]{1,10}-[\d.]{1,10}:[\d.]{1,10}[a-z]?$/,
    'must be a benchmark and a check of it, such as `aws-3.0:5.2b`',
  );
export const checkName = ({ benchmark, key }: BenchmarkCheck): string => `${benchmark}:${key}`;
export const checkMarkOf = (name: string): string => name.replace(':', ' ');

type LookedAt = Placed & { type: AssetType; looks?: readonly AssetLook[] | undefined };

export function lookTallies({ type, looks = [], ...placed }: LookedAt): Tally[] {
  const names = [assetName(type), ...looksOf({ looks }).map((kind) => lookedName(type, kind))];
  return [
    ...inGroups('looked', WEAKNESS_SET, { names, placed }),
    ...looks.flatMap(({ passed }) =>
      passed
        ? inGroups('looked', passed.benchmark, {
            names: passed.checks.map((key) => lookedName(type, key)),
            placed,
          })
        : [],
    ),
  ];
}
