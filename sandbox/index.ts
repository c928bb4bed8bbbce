// The sandbox ERP: a local server that answers like an S/4HANA system, with seeded data of any size.
//
//   const erp = await startErp({ size: 500, seed: 7, now: '2026-11-20T06:00:00Z' })
//   await fetch(`${erp.url}/sap/opu/odata/sap/API_PRODUCT_SRV/A_Product?$top=5`, { headers: { authorization: erp.basic } })
//   erp.control.advance(1)                                     // a day of business passes
//   erp.control.change([{ kind: 'issue', sku, location, quantity: 5 }])
//   erp.control.set({ paging: 'none', forbidden: ['API_PLANT_SRV'] })
//   erp.control.fault({ match: 'A_MaterialDocumentItem', kind: 'reset', skip: 3 })
//   for (const pair of erp.truth()) …                          // what a correct sync has stored
//   await erp.close()
//
// Rows are not stored but computed from the seed and an index; only changes are stored.
// Documents exist for the days [today − days, today); `advance` moves today.
import { CLIENT } from './behaviour.ts'
import { World } from './world/world.ts'
import { Clock } from './clock.ts'
import { createControl } from './create-control.ts'
import { createState } from './state.ts'
import { Host } from './host.ts'
import { leadTimes, receipts, truth } from './truth/truth.ts'
import type { Control } from './control.ts'
import type { Behaviour } from './behaviour.ts'
import type { LogEntry } from './log-entry.ts'
import type { LeadTimeTruth, PairTruth, ReceiptTruth, TruthOptions } from './truth/truth.ts'

export type { Behaviour, Throttle } from './behaviour.ts'
export type { Control } from './control.ts'
export type { Fault } from './faults.ts'
export type { Change } from './changes/change.ts'
export type { LogEntry } from './log-entry.ts'
export type { Traffic } from './traffic.ts'
export type {
  CustomerOrderTruth,
  DemandClass,
  LeadTimeTruth,
  OpenOrderTruth,
  PairTruth,
  ReceiptTruth,
  TruthOptions,
} from './truth/truth.ts'
export { CLIENT, SCOPES } from './behaviour.ts'

export interface ErpOptions extends Partial<Behaviour> {
  /** Number of SKUs, rounded up to a multiple of 5; every fifth SKU has two plants. Default 2,000. */
  size?: number
  /** Days of history. Default 730, about 6 million document rows for 50,000 SKUs. */
  days?: number
  /** Number of plants, at least 2. Default 4. */
  plants?: number
  /** Same seed, same data. Default 1. */
  seed?: number
  /** Start time of the ERP's clock. Default: the machine's time. */
  now?: string | Date
  /** Default 0: any free port. */
  port?: number
}

export interface Erp {
  /** `http://localhost:<port>` */
  url: string
  /** Authorization header of the communication user. */
  basic: string
  /** All issued codes and tokens, and the client secret; no log or message may contain them. */
  secrets(): string[]
  /** All requests except those to `/__control`, oldest first. */
  log: LogEntry[]
  control: Control
  /** The data that a correct sync stores, sorted by SKU and location; computed lazily. */
  truth(options?: TruthOptions): Iterable<PairTruth>
  /** The receipts of purchase orders. */
  receipts(): ReceiptTruth[]
  /** What receipts of purchase orders say about lead times. */
  leadTimes(): LeadTimeTruth[]
  close(): Promise<void>
}

/** @throws RangeError when the size, days or plants are out of range */
export async function startErp(options: ErpOptions = {}): Promise<Erp> {
  const { size = 2000, days = 730, plants = 4, seed = 1, now, port = 0, ...behaviour } = options
  const clock = new Clock(now)
  const world = new World({ size, days, plants, seed }, clock)
  const state = createState(world, clock, behaviour)
  const host = new Host(state)
  const control = createControl(state, host)
  state.control = control
  await host.listen(port)
  return {
    url: host.url,
    basic: state.basic,
    log: state.log,
    secrets: () => [CLIENT.secret, ...state.tokens.given],
    control,
    truth: (wanted) => truth(world, wanted),
    receipts: () => receipts(world),
    leadTimes: () => leadTimes(world),
    close: () => host.close(),
  }
}
