const tier = process.env.TEST_TIER;

/** `npm run test:deep` runs what takes too long for each change. */
const isDeep = tier === 'deep';

/** `npm run test:deep` runs some files once more in a system with the settings of the stack, which decide what they find. */
export const isStack = tier === 'stack';

/** How often a property is tried: `few` times with each change by `npm test`, `full` times by `npm run test:deep`. */
export const runs = (few: number, full: number): number => (isDeep ? full : few);

/** Which writes of a job a process dies at: each in `npm run test:deep`, each `nth` in `npm test`. An odd number meets both kinds of turns. */
export const eachWrite = (nth: number): number => (isDeep ? 1 : nth);

/** All of these by `npm run test:deep`, one of each kind by `npm test`. */
export const oneOfEach = <T>(all: readonly T[], kindOf: (one: T) => unknown): T[] =>
  isDeep ? [...all] : [...Map.groupBy(all, kindOf).values()].flatMap((some) => some.slice(0, 1));
