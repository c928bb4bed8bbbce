/** Numbers in [0, 1) that depend on the text alone: the demo is the same on every machine. */
export function randomFrom(text: string): () => number {
  let state = 2166136261
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0)!, 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
