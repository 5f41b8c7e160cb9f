import { queueSync } from '#shared/code/code-hosts/sync.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

const AT_ONCE = 4;

/** Reads the repositories of each connected account again. The timer ends with the last account. */
export async function syncIntegrations({ table, connections, timer }: Due): Promise<void> {
  const all = await recordsOf(table, integrations);
  const asked = all.filter(({ enabled, access }) => enabled && access !== 'none');
  await eachAtOnce(asked, AT_ONCE, ({ id }) => queueSync({ connections, table }, id));
  await table.write(removeTimer(timer), ...(asked.length > 0 ? [putTimer(dailyTimer('integration', table))] : []));
}
