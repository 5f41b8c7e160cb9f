import { type Counting, countEach, countFindings } from '../counting.ts';
import { defineSection, shareOf } from '../section.ts';

const gather = (counting: Counting) =>
  countEach(countFindings, counting, {
    fixed: `fixed>=${counting.since}`,
    byScan: `fixed>=${counting.since} fixedBy:scan`,
    returned: `reopened>=${counting.since}`,
  });

/** How many repairs a scan has proven. */
export const proof = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'proof',
  gather,
  figures: ({ fixed, byScan, returned }, page) => [
    [page.say('fixedFindings'), fixed],
    [page.say('proven'), byScan],
    [page.say('returned'), returned],
  ],
  blocks: ({ fixed, byScan, returned }, page) => [
    {
      block: 'text',
      text: page.say(fixed.value === 0 ? 'noneFixed' : 'proofText', {
        n: page.number(fixed.value),
        share: page.percent(shareOf(byScan.value, fixed.value)),
        scan: page.number(byScan.value),
        returned: page.number(returned.value),
      }),
    },
  ],
});
