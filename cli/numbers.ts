import { InvalidArgumentError } from 'commander';

/** Minutes of an option, also a part of one. */
export function minutes(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1440))
    throw new InvalidArgumentError('It must be a number of minutes, at most 1440.');
  return value;
}
