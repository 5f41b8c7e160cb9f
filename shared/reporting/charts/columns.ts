/** The parts of a column that stand on each other, from the bottom up. `y` gives the place of a value. */
export function columnsUp(values: readonly number[], y: (value: number) => number): { top: number; height: number }[] {
  let sum = 0;
  return values.map((value) => {
    const bottom = y(sum);
    sum += value;
    return { top: y(sum), height: bottom - y(sum) };
  });
}
