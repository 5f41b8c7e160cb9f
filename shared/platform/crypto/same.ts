import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));
