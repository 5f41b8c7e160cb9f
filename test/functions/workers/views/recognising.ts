import { identityFollower } from '#functions/workers/views/identity/follow.ts';
import { openViews } from '#functions/workers/views/list.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { elapsedMs, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { codeScan } from '../imports/reports.ts';
import type { startWorld } from '../imports/world.ts';

const page = { paginateFrom: 0, paginateSize: 50 };

type Seen = { type?: string; value: string; identifiers: Record<string, unknown> };

/** Brings hosts, or assets of another type, in as an inventory names them, and lets the service recognise them. A test sets the clock back at its end. */
export function recognising(world: Awaited<ReturnType<typeof startWorld>>) {
  /** Changes rest for three seconds before they are read; here the clock runs faster, and never back. */
  async function settle(table: Table): Promise<void> {
    const { connections } = world;
    const [from, began] = [nowMs(), elapsedMs()];
    setClock(() => Math.floor(from + (elapsedMs() - began) * 20));
    do {
      await world.drain();
      await keepViews(table, await openViews(connections), () => false, identityFollower({ connections, table }));
    } while (world.messages.length > 0);
  }
  async function see(table: Table, hosts: readonly Seen[], zone?: string): Promise<void> {
    const content = JSON.stringify({ assets: hosts.map((host) => ({ type: 'host', ...host })) });
    await world.ingest(table, codeScan(content, { format: 'inventory', target: undefined, ref: undefined, zone }));
    await settle(table);
  }
  const named = async (table: Table) =>
    (await table.list(assets, page)).data
      .map(({ value, zone, aliases = [] }) => [value, zone, ...aliases.map((alias) => alias.value)])
      .toSorted();
  const suggested = async (table: Table) =>
    (await table.list(mergeSuggestions, page)).data.map(({ status, by }) => [status, by]);
  return { settle, see, named, suggested };
}
