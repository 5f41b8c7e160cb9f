import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';

/** A person who wants to hear of comments on a finding. */
export const Follower = objectNamed('FindingFollower', { id: Id, name: z.string(), since: Timestamp });
export type Follower = z.infer<typeof Follower>;
type FollowerRow = Follower & { findingId: string };

export const followers = defineRow<FollowerRow, Pick<FollowerRow, 'findingId' | 'id'>>({
  name: 'finding-follower',
  about: 'a person who follows a finding',
  key: ({ findingId, id }) => [findingId, id],
});

/** A finding has so many followers at most. */
export const MAX_FOLLOWERS = 100;
