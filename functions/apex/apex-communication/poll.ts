import { settleTasks } from '#shared/apex/settle.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type PollRules, poll } from '#shared/scanning/leases/poll.ts';
import { type ApexCall, type ApexCallTypes, apexCalls } from './calls.ts';
import { leaseFound } from './lease-found.ts';
import { findWork } from './take.ts';

const apexPolls: PollRules<ApexCallTypes> = {
  ...apexCalls,
  bounds: { perPoll: 5, held: 15 },
  find: findWork,
  lease: leaseFound,
  follow: ({ owner }, ended) => settleTasks(owner, ended),
};

/** One poll of an appliance. @throws unauthorized when it was removed */
export const pollAsAppliance = async (table: Table, call: ApexCall) => (await poll(apexPolls, table, call)).answer;
