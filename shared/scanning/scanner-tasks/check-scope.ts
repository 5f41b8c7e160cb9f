import { canonicalTargets } from '#shared/assets/targets/canonical.ts';
import { MAX_TARGETS, type ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { WORKS_ON } from '#shared/assets/targets/targets.ts';
import { ApiError, type ErrorDetail } from '#shared/platform/runtime/errors.ts';
import { addressesOf, MAX_ADDRESSES, type PlanScope, planTasks } from './plan.ts';

const MAX_TASKS = 65_536;
/** A task carries the exclusions within its target. */
const MAX_WITHIN = 100;

/**
 * The engagement scope with its targets in their stored form.
 * @throws validation_failed with every wrong target, or with the problem of the whole scope
 */
export function checkScope<S extends PlanScope>(scope: S): S {
  const { problems, ...checked } = spell(scope);
  const all = [...problems, ...misfits(scope)];
  if (all.length > 0) throw refuse(all);
  assertSize(checked);
  return { ...scope, ...checked };
}

/** Checks the targets of a stored engagement by the rules of today. @throws validation_failed with every wrong target */
export function assertSpelled(scope: PlanScope): void {
  const { problems } = spell(scope);
  if (problems.length > 0) throw refuse(problems);
}

function spell({ taskTypes, ...scope }: PlanScope) {
  const targets = normalise(scope.targets, 'targets');
  const exclusions = normalise(scope.exclusions, 'exclusions');
  const problems = [...targets.problems, ...exclusions.problems];
  return { taskTypes, targets: targets.values, exclusions: exclusions.values, problems };
}

function normalise(targets: readonly ScanTarget[], path: string) {
  const problems: ErrorDetail[] = [];
  const values = targets.flatMap((target, n) => {
    const checked = canonicalTargets(target);
    if (!('problem' in checked)) return checked.map((one) => ({ ...target, ...one }));
    problems.push({ path: `${path}.${n}.value`, message: checked.problem });
    return [];
  });
  if (values.length > MAX_TARGETS)
    problems.push({
      path,
      message: `are ${values.length} with the parts of ranges; at most ${MAX_TARGETS} are allowed`,
    });
  return { values, problems };
}

/** Problems of targets that no task type works on, and of task types without a target. */
function misfits({ targets, taskTypes }: PlanScope): ErrorDetail[] {
  if (taskTypes.length === 0) return [];
  const lone = targets.flatMap(({ type }, n) =>
    type === 'application' || taskTypes.some((task) => WORKS_ON[task].includes(type))
      ? []
      : [{ path: `targets.${n}.type`, message: `no task type works on a ${type}: remove it or add one` }],
  );
  const idle = taskTypes.flatMap((task, n) =>
    targets.some(({ type }) => WORKS_ON[task].includes(type))
      ? []
      : [{ path: `taskTypes.${n}`, message: `${task} needs a target of type ${WORKS_ON[task].join(', ')}` }],
  );
  return [...lone, ...idle];
}

function assertSize(scope: PlanScope): void {
  const addresses = addressesOf(scope);
  const tooMany = `one engagement takes at most ${MAX_ADDRESSES} of each: split it`;
  if (addresses > MAX_ADDRESSES) throw refuse([{ path: 'targets', message: `${addresses} addresses; ${tooMany}` }]);
  let tasks = 0;
  for (const { target, exclusions = [] } of planTasks(scope)) {
    if (++tasks > MAX_TASKS) throw refuse([{ path: 'targets', message: `more than ${MAX_TASKS} tasks; ${tooMany}` }]);
    if (exclusions.length > MAX_WITHIN) {
      const message = `${exclusions.length} lie within ${target.value}, and a task takes at most ${MAX_WITHIN}`;
      throw refuse([{ path: 'exclusions', message: `${message}: exclude a range, domain or page around them` }]);
    }
  }
  if (tasks === 0 && scope.taskTypes.length > 0)
    throw refuse([{ path: 'exclusions', message: 'cover all targets: remove some of them' }]);
}

function refuse(details: ErrorDetail[]): ApiError {
  const [first] = details;
  return new ApiError('validation_failed', `${first?.path}: ${first?.message}`, { details });
}
