import { ApiError, type ErrorDetail } from '#shared/platform/runtime/errors.ts';
import type { TaskTemplate } from './apex-campaign.ts';

type Keyed = Pick<TaskTemplate, 'key' | 'dependsOn'>;

/**
 * Sorts templates: each follows the templates that it depends on, otherwise the given order stays.
 * @throws validation_failed for a key that is repeated or missing, and for a circle
 */
export function inOrder<T extends Keyed>(templates: readonly T[]): T[] {
  const problems = [...repeated(templates), ...unknown(templates)];
  if (problems.length > 0) throw refuse(problems);
  const ordered: T[] = [];
  const done = new Set<string>();
  let left = [...templates];
  while (left.length > 0) {
    const ready = left.filter(({ dependsOn }) => dependsOn.every((key) => done.has(key)));
    if (ready.length === 0) throw refuse(circle(templates, left));
    for (const template of ready) done.add(template.key);
    ordered.push(...ready);
    left = left.filter(({ key }) => !done.has(key));
  }
  return ordered;
}

function repeated(templates: readonly Keyed[]): ErrorDetail[] {
  const seen = new Set<string>();
  return templates.flatMap(({ key }, n) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: `taskTemplates.${n}.key`, message: `${key} is used twice: give each template its own key` }];
  });
}

function unknown(templates: readonly Keyed[]): ErrorDetail[] {
  const keys = new Set(templates.map(({ key }) => key));
  return templates.flatMap(({ dependsOn }, n) =>
    dependsOn.flatMap((key) =>
      keys.has(key) ? [] : [{ path: `taskTemplates.${n}.dependsOn`, message: `there is no template ${key}` }],
    ),
  );
}

function circle(templates: readonly Keyed[], left: readonly Keyed[]): ErrorDetail[] {
  const names = left.map(({ key }) => key).join(', ');
  return left.map(({ key }) => ({
    path: `taskTemplates.${templates.findIndex((one) => one.key === key)}.dependsOn`,
    message: `the templates ${names} wait for each other: remove a dependency`,
  }));
}

function refuse(details: ErrorDetail[]): ApiError {
  const [first] = details;
  return new ApiError('validation_failed', `${first?.path}: ${first?.message}`, { details });
}
