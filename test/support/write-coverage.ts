import { takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

/** With NODE_V8_COVERAGE a process writes what it ran at its end, which Vitest's workers do not reach. */
afterAll(takeCoverage);
