import type { Days } from '../../types.ts'
import type { Boosting } from '../boosting/boosting.ts'
import type { TailRule } from '../tail.ts'

/** What a tenant's own past says about the methods. Plain data, to be stored and handed back. */
export interface Calibration {
  /** Names of the methods that the weights are for, in their order. */
  methods: string[]
  /** By rising horizon; the last one holds for all longer ones. */
  buckets: HorizonBucket[]
  /** What the mix's past errors taught; a horizon is absent where they are too few. */
  boosting?: Boosting
}

export interface HorizonBucket {
  /** Longest horizon that it is for. */
  upTo: Days
  /** Past windows that it was learnt from. */
  windows: number
  /** One a method, summing to 1. */
  weights: number[]
  /** How heavy demand above P90 is (distribution.ts); absent where too little exceeded it. */
  tail?: TailRule
}

/** The bucket of a horizon. */
export function bucketFor({ buckets }: Calibration, horizon: Days): HorizonBucket {
  return buckets.find(({ upTo }) => horizon <= upTo) ?? buckets[buckets.length - 1]!
}
