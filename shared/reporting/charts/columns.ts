/** Heights in proportion to the most, which has the whole room. A value above 0 has at least the least. */
export const heightIn =
  (room: number, most: number, least = 0) =>
  (value: number): number =>
    value === 0 ? 0 : Math.max(least, (value * room) / Math.max(1, most));

/** The parts of a column that stand on each other, from the ground on. `y` gives the place of a value, upward or downward. */
export function columnOf(values: readonly number[], y: (value: number) => number): { top: number; height: number }[] {
  let sum = 0;
  return values.map((value) => {
    const from = y(sum);
    sum += value;
    return { top: Math.min(from, y(sum)), height: Math.abs(from - y(sum)) };
  });
}
