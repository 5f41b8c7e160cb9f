import { openViews } from '#functions/workers/views/list.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { keepViews } from '#shared/platform/views/follow.ts';

/** Brings all views of an organization up to date. */
export const followViews = async ({ connections, table }: Context): Promise<boolean> =>
  keepViews(table, await openViews(connections), () => false);
