import { applyChange } from './changes/apply.ts'
import { trafficOf } from './traffic.ts'
import type { Control } from './control.ts'
import type { Host } from './host.ts'
import type { State } from './state.ts'

export function createControl(state: State, host: Host): Control {
  const { world, clock, behaviour } = state
  return {
    behaviour,
    set: (changed) => void Object.assign(behaviour, changed),
    advance(days = 1) {
      if (!Number.isInteger(days) || days < 1) throw new RangeError('days must be at least 1')
      clock.advance(days)
    },
    change: (changes) => changes.map((change) => applyChange(state, change)),
    fault: (fault) => state.faults.add(fault),
    clearFaults: () => state.faults.clear(),
    expireTokens: () => state.tokens.expireAccess(),
    revokeTokens: () => state.tokens.forgetAll(),
    restart: (down = 200) => host.restart(down),
    clearLog: () => void (state.log.length = 0),
    traffic: () => trafficOf(state.log),
    counts: () => ({
      today: new Date(clock.now()).toISOString().slice(0, 10),
      skus: world.pairs.skus,
      pairs: world.pairs.count,
      documents: world.book.total('docs'),
      documentItems: world.book.total('items'),
      purchaseOrders: world.orders.count(),
      requests: state.log.length,
      writes: state.log.filter(({ data, method }) => data && !/^(GET|HEAD)$/.test(method)).length,
      peakConcurrency: state.gate.peak,
    }),
  }
}
