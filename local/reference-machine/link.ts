import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod';
import { type Identity, Linked } from './identity.ts';
import { openService } from './service.ts';

export type Installation = { url: string; linkToken?: string; name?: string; zone?: string };

/** The kind and description with which a machine links. */
export type Kind = {
  name: 'scanner' | 'appliance' | 'agent' | 'collector' | 'integrator';
  path: string;
  version: string;
  about: object;
};

type Linking = { installation: Installation; kind: Kind; identity: Identity };

const LinkAnswer = z.object({ id: z.string(), clientId: z.string(), clientSecret: z.string() });

/**
 * Links the machine once. The instance id is stored before the first try, so that a repetition makes no second machine.
 * @returns undefined if `stopping` was aborted
 */
export async function linkOnce(linking: Linking, stopping: AbortSignal): Promise<Linked | undefined> {
  const { linkToken } = linking.installation;
  const known = await linking.identity.read();
  const earlier = Linked.safeParse(known);
  if (earlier.success) return earlier.data;
  if (!linkToken) throw new Error(`this ${linking.kind.name} is not linked yet: start it with --link-token-file`);
  const instanceId = known.instanceId ?? randomUUID();
  await linking.identity.write({ instanceId });
  try {
    const answer = LinkAnswer.parse(await ask(linking, { linkToken, instanceId }, stopping));
    const linked = { ...answer, instanceId };
    await linking.identity.write(linked);
    return linked;
  } catch (error) {
    if (stopping.aborted) return undefined;
    throw error;
  }
}

function ask({ installation, kind }: Linking, proof: object, stopping: AbortSignal) {
  const { url, name, zone } = installation;
  const platform = `${process.platform}-${process.arch}`;
  const about = { name: name ?? hostname(), version: kind.version, platform, hostname: hostname(), zone };
  return openService(url).post(kind.path, { ...proof, ...about, ...kind.about }, stopping);
}
