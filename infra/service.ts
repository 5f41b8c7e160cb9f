import { areas, type PlacedArea } from '#functions/contract.ts';
import type { Needs } from '#functions/needs.ts';
import { type Schedule, schedules, type Worker, workers } from '#functions/workers/contract.ts';

/** The declarations from which the stack and the bundles are made. Tests pass services of their own. */
export type Service = { areas: readonly PlacedArea[]; workers: readonly Worker[]; schedules: readonly Schedule[] };

export const service: Service = { areas, workers, schedules };

/** A Lambda: its name in the stack and under dist/functions/, and the file with its `handler`. */
export type FunctionSource = { name: string; entry: string; needs: Needs };

/** An area, a job and a schedule may share a name such as `engagements`: the suffix distinguishes their functions. */
export const areaFunction = ({ name, wing, needs }: Pick<PlacedArea, 'name' | 'wing' | 'needs'>): FunctionSource => ({
  name,
  entry: `functions/${wing}/${name}/index.ts`,
  needs: { ...needs, originSecret: true },
});

export const workerFunction = ({ job, needs = {} }: Worker): FunctionSource => ({
  name: `${job}-worker`,
  entry: `functions/workers/${job}/index.ts`,
  needs,
});

export const scheduleFunction = ({ name, needs = {} }: Schedule): FunctionSource => ({
  name: `${name}-schedule`,
  entry: `functions/workers/${name}/index.ts`,
  needs,
});

export const functionSources = ({ areas, workers, schedules }: Service): FunctionSource[] => [
  ...areas.map(areaFunction),
  ...workers.map(workerFunction),
  ...schedules.map(scheduleFunction),
];
