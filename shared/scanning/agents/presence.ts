import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Machines } from '../machines/machines.ts';
import { firstPresence, type MachinePresence, nextLook } from '../machines/presence.ts';
import { type MachineKey, presenceKey } from '../machines/presence-rows.ts';
import { agents, type LinkedAgent } from './agent.ts';

/** The state of an agent that its report reads. */
export type AgentPresence = MachinePresence & {
  enabled: boolean;
  zone: string | null;
  /** The interval of the agent's reports. */
  intervalSeconds: number;
  /** The asset of the agent's host, and the zone of that asset. */
  assetId: string | null;
  assetZone: string | null;
  /** Digests of the agent's last description of its host and of its last software list, to notice changes. */
  said: string | null;
  software: string | null;
  /** The newest hour (since the epoch) with samples; a later hour closes it. */
  openHour: number;
  /** Closed hours that may not be folded yet. */
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
