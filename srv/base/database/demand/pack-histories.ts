import type { DemandHistory } from '../../../../engine/index.ts'

/** Histories of many series in a few columns, to be handed to another thread without a copy. */
export interface PackedHistories {
  /** The days of history i: `starts[i]` up to `starts[i + 1]`. */
  starts: Int32Array
  days: Int32Array
  quantities: Float64Array
  promos: Uint8Array
  /** 1 if the source tells for history i whether promotions ran. */
  knowsPromo: Uint8Array
  /** The days on which the stock of the source was read. */
  stockDays: Int32Array
  /** First and last days of stockouts of history i: `stockoutStarts[i]` up to `stockoutStarts[i + 1]`. */
  stockoutStarts: Int32Array
  stockouts: Int32Array
}

/** @param histories of one source */
export function packHistories(histories: readonly DemandHistory[]): PackedHistories {
  const starts = new Int32Array(histories.length + 1)
  const stockoutStarts = new Int32Array(histories.length + 1)
  histories.forEach(({ days, stock }, i) => {
    starts[i + 1] = starts[i]! + days.length
    stockoutStarts[i + 1] = stockoutStarts[i]! + (stock?.empty.length ?? 0)
  })
  const total = starts[histories.length]!
  const packed: PackedHistories = {
    starts,
    days: new Int32Array(total),
    quantities: new Float64Array(total),
    promos: new Uint8Array(total),
    knowsPromo: new Uint8Array(histories.length),
    stockDays: Int32Array.from(histories.find(({ stock }) => stock)?.stock?.seen ?? []),
    stockoutStarts,
    stockouts: new Int32Array(stockoutStarts[histories.length]!),
  }
  histories.forEach(({ days, quantities, promo, stock }, i) => {
    packed.days.set(days, starts[i])
    packed.quantities.set(quantities, starts[i])
    if (stock) packed.stockouts.set(stock.empty, stockoutStarts[i])
    if (!promo) return
    packed.promos.set(promo, starts[i])
    packed.knowsPromo[i] = 1
  })
  return packed
}

/** History i, without a copy. */
export function unpackHistories(packed: PackedHistories, i: number): DemandHistory {
  const { starts, days, quantities, promos, knowsPromo } = packed
  const { stockDays: seen, stockouts, stockoutStarts } = packed
  const [from, to] = [starts[i], starts[i + 1]]
  return {
    days: days.subarray(from, to),
    quantities: quantities.subarray(from, to),
    ...(knowsPromo[i] && { promo: promos.subarray(from, to) }),
    ...(seen.length > 0 && {
      stock: { seen, empty: stockouts.subarray(stockoutStarts[i], stockoutStarts[i + 1]) },
    }),
  }
}

/** The buffers that move to the other thread, and are lost here. */
export const transferable = (packed: PackedHistories): ArrayBuffer[] =>
  Object.values(packed).map((column: { buffer: ArrayBuffer }) => column.buffer)
