import type { EventEmitter } from 'node:events';

/*
 * Memory into which connections read, one after the other. Node takes 64 KB outside of the heap for each read otherwise, 1.75 MB for a page among a million
 * records, and cleans the whole heap after each fifth such page.
 */

const READ = 65_536;

/**
 * Options of an agent for HTTP (`onread` of https://nodejs.org/api/net.html#socketconnectoptions-connectlistener). The parser of HTTP copies what it gives away while
 * `data` is emitted. What it would not copy becomes zeros, which no answer begins with, so that a request fails and never has bytes of another answer.
 */
export const readTogether = {
  onread: {
    buffer: Buffer.allocUnsafeSlow(READ),
    callback(this: EventEmitter, length: number, bytes: Uint8Array): boolean {
      const read = bytes.subarray(0, length);
      this.emit('data', read);
      read.fill(0);
      return true;
    },
  },
};
