// A sync makes much garbage for a long time: what V8 concludes from that does not fit a service.
import { setFlagsFromString } from 'node:v8'

/** Percent by which the heap may grow over what lives. No limit: a large company's data still fit. */
const GROWTH = 50

export function adviseCollector() {
  // V8 lets the heap double: a third less memory at the peak of a sync, for a tenth more computing (bench/sync).
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  // After a sync V8 puts what calls make for a millisecond into old memory at once, where a third of it
  // waits for a large collection (bench/serve).
  setFlagsFromString('--no-allocation-site-pretenuring')
}
