import * as z from 'zod';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A scanned branch of a repository. Its findings are those that the default branch does not have. */
export const Branch = objectNamed('ScannedBranch', {
  ...recordFields,
  assetId: readOnly(Id.meta({ description: 'of the repository' })),
  name: readOnly(z.string().max(300)),
  isDefault: z.boolean().meta({ description: 'dashboards, SLA clocks and lists without `ref` count this branch' }),
  isGuessed: readOnly(
    z.boolean().meta({ description: 'nobody has set the default branch: main, master or trunk is used' }),
  ),
  formerNames: readOnly(
    z.array(z.string()).meta({ description: 'names that findings of the default branch may have' }),
  ),
  lastScan: readOnly(
    z
      .object({ taskId: Id, commit: z.string().nullable(), at: Timestamp })
      .nullable()
      .meta({ description: 'the last import of the branch' }),
  ),
  endedAt: readOnly(
    Timestamp.nullable().meta({
      description: 'when the branch was deleted, or had not been scanned for too long; the next scan starts it again',
    }),
  ),
});
export type Branch = z.infer<typeof Branch>;

type Named = Pick<Branch, 'assetId' | 'name'>;

/** The unique text of a branch. */
export const branchPlace = ({ assetId, name }: Named): string => `${assetId}#${name}`;

export const branches = defineEntity(Branch, {
  name: 'branch',
  inPart: 'whole',
  feedFields: ['assetId', 'name', 'isDefault'],
  search: ({ name }) => [name],
  indexed: ({ assetId, name, isDefault }) => ({ asset: assetId, name, isDefault: String(isDefault) }),
  unique: (branch) => ({ place: branchPlace(branch), default: branch.isDefault ? branch.assetId : null }),
});

/** Days for which the findings of a branch that ended are kept, since it may still be merged. */
export const ENDED_BRANCH_DAYS = 30;
