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
  /** The list of days on which the stock of history i was read, counted from 1; 0 where nothing is known of it. */
  stockOf: Uint8Array
  /** List n: `stockDayStarts[n - 1]` up to `stockDayStarts[n]`. */
  stockDayStarts: Int32Array
  stockDays: Int32Array
  /** First and last days of stockouts of history i: `stockoutStarts[i]` up to `stockoutStarts[i + 1]`. */
  stockoutStarts: Int32Array
  stockouts: Int32Array
}

/** @param histories of one source, whose locations know their stock of few different lists of days */
export function packHistories(histories: readonly DemandHistory[]): PackedHistories {
  const starts = new Int32Array(histories.length + 1)
  const stockoutStarts = new Int32Array(histories.length + 1)
  histories.forEach(({ days, stock }, i) => {
    starts[i + 1] = starts[i]! + days.length
    stockoutStarts[i + 1] = stockoutStarts[i]! + (stock?.empty.length ?? 0)
  })
  const total = starts[histories.length]!
  const { lists, listOf } = distinctDays(histories)
  const packed: PackedHistories = {
    starts,
    days: new Int32Array(total),
    quantities: new Float64Array(total),
    promos: new Uint8Array(total),
    knowsPromo: new Uint8Array(histories.length),
    stockOf: Uint8Array.from(histories, listOf),
    stockDayStarts: Int32Array.from([
      0,
      ...lists.map((_, n) => sumOfLengths(lists.slice(0, n + 1))),
    ]),
    stockDays: concatenated(lists),
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

function distinctDays(histories: readonly DemandHistory[]) {
  const known = new Map<Int32Array, number>()
  const byText = new Map<string, Int32Array>()
  for (const { stock } of histories) {
    if (!stock || known.has(stock.seen)) continue
    const text = stock.seen.join()
    byText.set(text, byText.get(text) ?? stock.seen)
    known.set(stock.seen, [...byText.keys()].indexOf(text) + 1)
  }
  const listOf = ({ stock }: DemandHistory) => (stock ? known.get(stock.seen)! : 0)
  return { lists: [...byText.values()], listOf }
}

const sumOfLengths = (lists: Int32Array[]) => lists.reduce((sum, { length }) => sum + length, 0)

function concatenated(lists: Int32Array[]): Int32Array<ArrayBuffer> {
  const all = new Int32Array(sumOfLengths(lists))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** History i, without a copy. */
export function unpackHistories(packed: PackedHistories, i: number): DemandHistory {
  const { starts, days, quantities, promos, knowsPromo } = packed
  const { stockOf, stockDays, stockDayStarts, stockouts, stockoutStarts } = packed
  const [from, to] = [starts[i], starts[i + 1]]
  const list = stockOf[i]!
  return {
    days: days.subarray(from, to),
    quantities: quantities.subarray(from, to),
    ...(knowsPromo[i] && { promo: promos.subarray(from, to) }),
    ...(list > 0 && {
      stock: {
        seen: stockDays.subarray(stockDayStarts[list - 1], stockDayStarts[list]),
        empty: stockouts.subarray(stockoutStarts[i], stockoutStarts[i + 1]),
      },
    }),
  }
}

/** The buffers that move to the other thread, and are lost here. */
export const transferable = (packed: PackedHistories): ArrayBuffer[] =>
  Object.values(packed).map((column: { buffer: ArrayBuffer }) => column.buffer)
