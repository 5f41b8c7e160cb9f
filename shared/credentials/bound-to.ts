import * as z from 'zod';
import { trimmedText } from '#shared/platform/http/records.ts';

const MAX_NAMED = 50;
const isWhole = (address: string): boolean => /^https?:\/\/[^\s/]+\/\S/.test(address);

const Repository = trimmedText(2048)
  .refine(isWhole, 'must be the whole address, such as https://git.example.com/acme/shop')
  .meta({ example: 'https://git.example.com/acme/shop' });

/** Names of branches as imports send them: `main`, `pull/7`, `merge-requests/7`. */
export const RefPatterns = z
  .array(trimmedText(300))
  .min(1)
  .max(MAX_NAMED)
  .meta({
    description: 'names of branches; `*` matches any characters, and `pull/*` is every pull request',
    example: ['main', 'release/*'],
  });

/** The repositories and branches about which a key may report. */
export const BoundTo = z
  .strictObject({ repositories: z.array(Repository).min(1).max(MAX_NAMED), refs: RefPatterns.optional() })
  .meta({
    description:
      'only for keys whose one scope is `imports:write`: the key reports on these repositories and, with `refs`, on these branches',
    example: { repositories: ['https://git.example.com/acme/shop'], refs: ['main', 'release/*'] },
  });
