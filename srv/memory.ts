// A sync makes much garbage for a long time, and V8 lets the heap double before it collects again.
import { setFlagsFromString } from 'node:v8'

/** Percent by which the heap may grow over what lives. No limit: a large company's data still fit. */
const GROWTH = 50

/** A third less memory at the peak of a sync, for a tenth more computing (bench/sync). */
export const keepHeapSmall = () => setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
