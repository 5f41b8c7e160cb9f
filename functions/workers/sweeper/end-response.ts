import { removeTimer } from '#shared/platform/timers/timers.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import { failAction } from '#shared/soc/incidents/response-actions.ts';
import type { Due } from './due.ts';

const LATE = { code: 'timed_out', message: 'No integrator that offers this action leased it in time.' };

/** Fails an approved action that nobody took by its deadline. An action in progress ends with its lease. */
export async function endResponse({ table, timer, drop }: Due): Promise<void> {
  const action = await table.find(responseActions, timer.id, true);
  if (action?.status !== 'approved') return drop();
  await table.commit((batch) => {
    failAction({ table, batch }, action, LATE);
    batch.write(removeTimer(timer));
  });
}
