import type { Stream } from '../adapter.ts'
import { demandStream } from './demand.ts'
import { planningStream } from './planning.ts'
import { receiptStream } from './receipts.ts'
import { skuStream } from './skus.ts'
import {
  customerOrderStream,
  exchangeRateStream,
  locationStream,
  openOrderStream,
  stockStream,
  supplierStream,
} from './snapshots.ts'
import type { System } from './system.ts'

export const streamsOf = (system: System): Stream[] => [
  locationStream(system),
  supplierStream(system),
  skuStream(system),
  planningStream(system),
  stockStream(system),
  openOrderStream(system),
  customerOrderStream(system),
  exchangeRateStream(system),
  receiptStream(system),
  demandStream(system),
]
