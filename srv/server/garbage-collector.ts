// Settings of V8's garbage collector for a service whose syncs allocate much memory for a long time.
import { setFlagsFromString } from 'node:v8'

/** Growth of the heap over the live data before a collection, in percent. */
const GROWTH = 50

export function adviseCollector() {
  // V8 lets the heap double: a third less memory at the peak of a sync, for a tenth more computing (bench/sync).
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  // After a sync V8 would allocate short-lived objects in old space, where they wait for a full collection
  // (bench/serve).
  setFlagsFromString('--no-allocation-site-pretenuring')
}
