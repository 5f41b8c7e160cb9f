import { oneLine } from './text.ts';

/** Shows which secret is meant; a short one would be guessed from its ends. */
export function maskedSecret(secret: string): string {
  const text = oneLine(secret.slice(0, 100) + secret.slice(100).slice(-100));
  if (text.length < SHOWN_FROM) return '****';
  return `${[...text.slice(0, 4)].slice(0, 2).join('')}****${[...text.slice(-4)].slice(-2).join('')}`;
}

const SHOWN_FROM = 12;
