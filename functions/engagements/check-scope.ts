import type { ScanTarget } from '#shared/entities/scan-target.ts';
import { ApiError, type ErrorDetail } from '#shared/runtime/errors.ts';
import { addressesOf, MAX_ADDRESSES, planTasks, type Scope } from '#shared/scanner-tasks/plan.ts';
import { checkTarget, WORKS_ON } from '#shared/targets/targets.ts';

const MAX_TASKS = 65_536;
/** Each task carries those within its target. */
const MAX_WITHIN = 50;

/**
 * The scope with its targets in the form in which they are compared.
 * @throws validation_failed naming every target that is wrong, or why the scope as a whole cannot be worked
 */
export function checkScope<S extends Scope>(scope: S): S {
  const targets = normalise(scope.targets, 'targets');
  const exclusions = normalise(scope.exclusions, 'exclusions');
  const problems = [...targets.problems, ...exclusions.problems, ...misfits(scope)];
  if (problems.length > 0) throw refuse(problems);
  const checked = { ...scope, targets: targets.values, exclusions: exclusions.values };
  assertSize(checked);
  return checked;
}

function normalise(targets: readonly ScanTarget[], path: string) {
  const problems: ErrorDetail[] = [];
  const values = targets.map((target, n) => {
    const checked = checkTarget(target);
    if ('value' in checked) return { ...target, value: checked.value };
    problems.push({ path: `${path}.${n}.value`, message: checked.problem });
    return target;
  });
  return { values, problems };
}

/** Targets that no task type works on, and task types without a target. */
function misfits({ targets, taskTypes }: Scope): ErrorDetail[] {
  if (taskTypes.length === 0) return [];
  const lone = targets.flatMap(({ type }, n) =>
    type === 'application' || taskTypes.some((task) => WORKS_ON[task].includes(type))
      ? []
      : [{ path: `targets.${n}.type`, message: `none of the task types works on a ${type}` }],
  );
  const idle = taskTypes.flatMap((task, n) =>
    targets.some(({ type }) => WORKS_ON[task].includes(type))
      ? []
      : [{ path: `taskTypes.${n}`, message: `${task} works on ${WORKS_ON[task].join(', ')}: no target is one` }],
  );
  return [...lone, ...idle];
}

function assertSize(scope: Scope): void {
  const addresses = addressesOf(scope);
  const tooMany = `at most ${MAX_ADDRESSES} addresses and tasks fit one engagement: split it`;
  if (addresses > MAX_ADDRESSES) throw refuse([{ path: 'targets', message: `${addresses} addresses; ${tooMany}` }]);
  let tasks = 0;
  for (const { target, exclusions = [] } of planTasks(scope)) {
    if (++tasks > MAX_TASKS) throw refuse([{ path: 'targets', message: `more than ${MAX_TASKS} tasks; ${tooMany}` }]);
    if (exclusions.length > MAX_WITHIN) {
      const message = `${exclusions.length} lie within ${target.value}, whose scanner is told of at most ${MAX_WITHIN}`;
      throw refuse([{ path: 'exclusions', message: `${message}: exclude what holds them` }]);
    }
  }
  if (tasks === 0 && scope.taskTypes.length > 0)
    throw refuse([{ path: 'exclusions', message: 'they leave nothing of the targets' }]);
}

function refuse(details: ErrorDetail[]): ApiError {
  const [first] = details;
  return new ApiError('validation_failed', `${first?.path}: ${first?.message}`, { details });
}
