import { results as changes } from '../changes/results.ts';
import { results as imports } from '../imports/results.ts';

export const results = { ...imports, ...changes };
