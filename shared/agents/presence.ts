import { agents, type LinkedAgent } from '../entities/agent.ts';
import type { Machines } from '../machines/machine.ts';
import { firstPresence, type MachinePresence, nextLook } from '../machines/presence.ts';
import { type MachineKey, presenceKey } from '../machines/presence-rows.ts';
import { defineRow } from '../table/io/row.ts';

/** All that a report needs to know of its agent. */
export type AgentPresence = MachinePresence & {
  enabled: boolean;
  zone: string | null;
  /** How often it is to report. */
  intervalSeconds: number;
  /** The asset of its host, and the zone in which that was found. */
  assetId: string | null;
  assetZone: string | null;
  /** Digests of what it last said of itself and of the software on it, to notice when they change. */
  said: string | null;
  software: string | null;
  /** The newest hour (since the epoch) that has samples; later ones close it. */
  openHour: number;
  /** Closed hours that are not known to be folded. */
  closedHours: number[];
};

export const agentPresences = defineRow<AgentPresence, MachineKey>({
  name: 'agent-presence',
  about: 'an agent: when it was last seen, and which hours are open',
  key: presenceKey,
});

const profileOf = ({ enabled, zone, reportIntervalSeconds }: LinkedAgent) => ({
  enabled,
  zone,
  intervalSeconds: reportIntervalSeconds,
});

export const agentMachines: Machines<LinkedAgent, AgentPresence> = {
  kind: 'agent',
  entity: agents,
  rows: agentPresences,
  nextTimer: (presence) => nextLook(presence),
  profileOf,
  newPresence: (agent) => ({
    ...firstPresence(agent),
    ...profileOf(agent),
    assetId: agent.assetId,
    assetZone: agent.zone,
    said: null,
    software: null,
    openHour: 0,
    closedHours: [],
  }),
};
