import * as z from 'zod';
import { openSealed, sealWrite } from '#shared/credentials/sealed.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';

const purpose = 'subscription';

/** The address to which a channel takes messages opens the channel: it is a secret. */
export const sealAddress = (context: Context, id: string, url: string): Promise<Write> =>
  sealWrite(context, { purpose, id, secret: { url } });

export const readAddress = async (context: Context, id: string): Promise<string | undefined> =>
  (await openSealed(context, { purpose, id, schema: z.object({ url: z.string() }) }))?.url;
