/* Lists of records of one size in one buffer: a hundred thousand take no object each. */

/** The first bytes of a record are its key, of this length. */
const KEY_BYTES = 16;

/** Whether two keys are the same; keys may be anywhere in a record. */
const isSameKey = (one: Buffer, at: number, other: Buffer, place: number): boolean =>
  one.readInt32LE(at) === other.readInt32LE(place) &&
  one.readInt32LE(at + 4) === other.readInt32LE(place + 4) &&
  one.readInt32LE(at + 8) === other.readInt32LE(place + 8) &&
  one.readInt32LE(at + 12) === other.readInt32LE(place + 12);

/** The place of the record with a key, among records in order of their keys; -1 if there is none. */
export function findPacked(records: Buffer, size: number, key: Buffer): number {
  const beginning = key.readUInt32BE();
  let [low, high] = [0, records.length / size - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = middle * size;
    // most keys differ in their first bytes, which are compared faster
    const order = records.readUInt32BE(at) - beginning || records.compare(key, 0, KEY_BYTES, at, at + KEY_BYTES);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The same records in order of their keys. */
export function sortPacked(records: Buffer, size: number): Buffer {
  const beginnings = Float64Array.from({ length: records.length / size }, (_, n) => records.readUIntBE(n * size, 6));
  const rest = (one: number, other: number) =>
    records.compare(records, other * size, other * size + KEY_BYTES, one * size, one * size + KEY_BYTES);
  const order = Uint32Array.from(beginnings.keys());
  order.sort((one, other) => (beginnings[one] ?? 0) - (beginnings[other] ?? 0) || rest(one, other));
  const sorted = Buffer.allocUnsafe(records.length);
  for (const [n, place] of order.entries()) records.copy(sorted, n * size, place * size, (place + 1) * size);
  return sorted;
}

/** Finds records in any order by a key at one place of each. Of several with one key the last is found. */
export class PackedIndex {
  readonly #records: Buffer;
  readonly #size: number;
  readonly #at: number;
  /** Places of records, one more than each, where its key belongs or behind that; 0 where there is none. */
  readonly #slots: Int32Array;

  /** @param at the place of the key in each record */
  constructor(records: Buffer, size: number, at: number) {
    this.#records = records;
    this.#size = size;
    this.#at = at;
    const count = records.length / size;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    for (let n = 0; n < count; n++) this.#slots[this.#slotOf(records, n * size + at)] = n + 1;
  }

  /** @returns the place of the record with the key that is there; -1 if there is none */
  find(key: Buffer, at: number): number {
    return (this.#slots[this.#slotOf(key, at)] ?? 0) - 1;
  }

  /** The slot of a key, or the free one where the key belongs. The last bytes of ids and fingerprints are random. */
  #slotOf(key: Buffer, at: number): number {
    const most = this.#slots.length - 1;
    for (let slot = (key.readInt32LE(at + 8) ^ key.readInt32LE(at + 12)) & most; ; slot = (slot + 1) & most) {
      const known = (this.#slots[slot] ?? 0) - 1;
      if (known < 0 || isSameKey(this.#records, known * this.#size + this.#at, key, at)) return slot;
    }
  }
}
