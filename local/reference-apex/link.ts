import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { LinkAnswer } from '#local/reference-scanner/answers.ts';
import { openService } from '#local/reference-scanner/service.ts';
import { Linked, type State } from '#local/reference-scanner/state.ts';

export const version = '1.0.0';

export type Installation = { url: string; linkToken?: string; name?: string; zone?: string; capacity: number };

/** The installation keeps its instance id from before the first try, so that linking again makes no second appliance. */
export async function link(installation: Installation, state: State, signal: AbortSignal): Promise<Linked> {
  const { url, linkToken, name, zone, capacity } = installation;
  const known = await state.read();
  const earlier = Linked.safeParse(known);
  if (earlier.success) return earlier.data;
  if (!linkToken) throw new Error('this appliance is not linked yet: give --link-token');
  const instanceId = known.instanceId ?? randomUUID();
  await state.write({ instanceId });
  const platform = `${process.platform}-${process.arch}`;
  const about = { name: name ?? hostname(), version, platform, hostname: hostname(), zone, capacity };
  const answer = await openService(url).post(
    '/api/v1/apex_communication/link',
    { linkToken, instanceId, ...about },
    signal,
  );
  const linked = { ...LinkAnswer.parse(answer), instanceId };
  await state.write(linked);
  return linked;
}
