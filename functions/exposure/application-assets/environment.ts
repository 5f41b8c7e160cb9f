import type { StoredApplication } from '#shared/exposure/applications/application.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';

/** @throws validation_failed for an environment that the application does not have */
export function environmentIn(
  { environments }: StoredApplication,
  environmentId: string | null,
): { environmentId?: string } {
  if (environmentId === null) return {};
  if (!environments.some(({ id }) => id === environmentId))
    throw invalid('environmentId', 'must be the id of an environment of the application');
  return { environmentId };
}
