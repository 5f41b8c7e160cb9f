import { InvalidArgumentError } from 'commander';

/** A whole number of an option, within these bounds. */
export const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };

/** Minutes of an option, also a part of one. */
export function minutes(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1440))
    throw new InvalidArgumentError('It must be a number of minutes, at most 1440.');
  return value;
}
